package dev.sluice.core.reference;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
import java.util.Comparator;
import java.util.SortedMap;

/** One pending task. */
final class ReferenceTask {

    /** (highest priority, longest expected duration, creation) */
    static final Comparator<ReferenceTask> ORDER = Comparator.comparing(
                    (ReferenceTask task) -> -(long) task.spec.priority())
            .thenComparing(task -> task.expectedDuration, Comparator.reverseOrder())
            .thenComparing(task -> task.groupIndex)
            .thenComparing(task -> task.index);

    final String application;
    final TaskSpec spec;
    final Duration expectedDuration;
    final int groupIndex;
    final int index;
    final SortedMap<String, Long> demand;

    /** Whether it was deferred in this cycle. */
    boolean skipped;

    /** Whether a reservation kept it from using a node in this cycle. */
    boolean refusedReserved;

    ReferenceTask(TaskGroup group, int index) {
        this.application = group.application().id();
        this.spec = group.spec();
        this.expectedDuration = group.expectedDuration();
        this.groupIndex = group.index();
        this.index = index;
        this.demand = ReferenceAmounts.demand(spec.resources());
    }

    /** Creates the pending task of a preempted one. */
    ReferenceTask(ReferenceAllocation standing) {
        this.application = standing.application.id;
        this.spec = standing.group == null ? standing.spec : standing.group.spec();
        this.expectedDuration = standing.expectedDuration;
        this.groupIndex = standing.groupIndex;
        this.index = standing.index;
        this.demand = ReferenceAmounts.demand(spec.resources());
    }

    /** Whether what is found out for a task of an application holds for another one of it, too. */
    boolean isEquivalentTo(ReferenceTask other) {
        return spec.resources().equals(other.spec.resources())
                && spec.priority() == other.spec.priority()
                && spec.constraints().equals(other.spec.constraints())
                && (spec.constraints().tasks().perNode() == 0 || groupIndex == other.groupIndex)
                && String.valueOf(spec.requiredNode()).equals(String.valueOf(other.spec.requiredNode()));
    }
}
