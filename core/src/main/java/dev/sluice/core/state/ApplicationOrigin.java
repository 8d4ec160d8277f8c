package dev.sluice.core.state;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Whose application it is and since when: what every event of an application repeats, so that it can be understood
 * without the events before it.
 *
 * @param queue the path of its leaf queue; empty if no queue accepted it
 * @param user the user who submitted it
 * @param submitted when it was submitted; distinguishes applications that had the same id
 */
public record ApplicationOrigin(String queue, String user, Instant submitted) {

    /** The origin in events of journals that did not record it. */
    public static final ApplicationOrigin UNKNOWN = new ApplicationOrigin("", "", Instant.EPOCH);

    /** Returns the paths of its leaf queue and of the queues above it, up to the root; empty if it has no queue. */
    public List<String> queues() {
        List<String> paths = new ArrayList<>();
        for (int end = queue.length(); end > 0; end = queue.lastIndexOf('.', end - 1)) {
            paths.add(queue.substring(0, end));
        }
        return paths;
    }
}
