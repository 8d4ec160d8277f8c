package dev.sluice.core.state;

import java.time.Instant;

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
}
