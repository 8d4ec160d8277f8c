package dev.sluice.core.schedule;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.share.Reclaim;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Task;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks to preempt for one pending task, the beneficiary.
 *
 * @param node the node of the victims, on which the beneficiary is allocated
 * @param victims the tasks to preempt; without any one of them the beneficiary would not fit
 * @param reason why they are preempted
 * @param reclaim the parent's loans that are reclaimed; null for other reasons
 * @param exceedsPlan whether this reclaims more loans than the parent planned to
 */
public record Preemption(
        Node node,
        List<Task> victims,
        StopReason reason,
        @Nullable Reclaim reclaim,
        boolean exceedsPlan) {

    public Preemption {
        victims = List.copyOf(victims);
    }

    /** Creates a preemption that reclaims loans. */
    static Preemption reclaiming(Node node, List<Task> victims, Reclaim reclaim, boolean exceedsPlan) {
        return new Preemption(node, victims, StopReason.REBALANCE, reclaim, exceedsPlan);
    }
}
