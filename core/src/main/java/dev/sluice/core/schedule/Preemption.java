package dev.sluice.core.schedule;

import dev.sluice.core.share.Reclaim;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Task;
import java.util.List;

/**
 * The tasks to preempt for one pending task, the beneficiary.
 *
 * @param node the node of the victims, on which the beneficiary is allocated
 * @param victims the tasks to preempt; without any one of them the beneficiary would not fit
 * @param reclaim the parent's loans that are reclaimed
 * @param exceedsPlan whether this reclaims more loans than the parent planned to
 */
public record Preemption(Node node, List<Task> victims, Reclaim reclaim, boolean exceedsPlan) {

    public Preemption {
        victims = List.copyOf(victims);
    }
}
