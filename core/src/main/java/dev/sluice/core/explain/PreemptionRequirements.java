package dev.sluice.core.explain;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskGroup;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a task that decide which tasks it could preempt.
 *
 * @param application its application, if it could preempt others of its queue, else null
 */
record PreemptionRequirements(
        Queue queue, @Nullable Application application, int priority, PlacementRequirements placement) {

    /** @param selected the keys of labels by which others exclude tasks */
    static PreemptionRequirements of(TaskGroup group, Set<String> selected) {
        Queue queue = group.application().queue();
        return new PreemptionRequirements(
                queue,
                queue.preemptsByPriority() ? group.application() : null,
                group.kind().priority(),
                PlacementRequirements.of(group, selected));
    }
}
