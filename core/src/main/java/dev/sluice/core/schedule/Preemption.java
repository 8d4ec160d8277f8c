package dev.sluice.core.schedule;

import dev.sluice.core.share.Reclaim;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Task;
import java.util.List;

/**
 * The tasks that are preempted for one pending task, its beneficiary.
 *
 * @param node where they are, and where the beneficiary takes their place
 * @param victims the tasks; without any one of them the beneficiary would not fit
 * @param reclaim whose loans they are
 * @param exceedsPlan whether these are more loans than were planned to be reclaimed
 */
public record Preemption(Node node, List<Task> victims, Reclaim reclaim, boolean exceedsPlan) {

    /** Copies the list. */
    public Preemption {
        victims = List.copyOf(victims);
    }
}
