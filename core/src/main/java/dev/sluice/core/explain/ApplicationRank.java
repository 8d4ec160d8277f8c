package dev.sluice.core.explain;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.share.DominantShare;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The position of an application among those of its leaf queue: smaller ranks are tried first. It follows the sort
 * policy of the queue as of now; what a cycle allocates can change it. With the sort policy {@code stateaware}, accepted
 * applications come after running and starting ones; one of them is admitted at a time.
 */
public final class ApplicationRank implements Comparable<ApplicationRank> {

    /** Order: (admitted, priority unless disabled, share or allocated tasks if the policy says so, submission). */
    private static final Comparator<ApplicationRank> ORDER = Comparator.comparing(
                    (ApplicationRank rank) -> !rank.admitted)
            .thenComparing(rank -> -rank.priority)
            .thenComparing(rank -> rank.share, DominantShare::compare)
            .thenComparing(rank -> rank.allocated)
            .thenComparing(rank -> rank.application.submitted())
            .thenComparing(rank -> rank.application.sequence());

    private static final double[] NO_SHARE = {};

    private final Application application;
    private final boolean admitted;
    private final long priority;
    private final double[] share;
    private final int allocated;

    private ApplicationRank(Application application, Partition partition, long priority) {
        ApplicationSortPolicy policy = application.queue().sortPolicy();
        this.application = application;
        this.admitted = policy != ApplicationSortPolicy.STATE_AWARE || application.state() != ApplicationState.ACCEPTED;
        this.priority = priority;
        this.share = policy == ApplicationSortPolicy.FAIR
                ? DominantShare.ofTotal(application.allocated(), partition, NO_SHARE)
                : NO_SHARE;
        this.allocated = policy == ApplicationSortPolicy.FEWEST_RUNNING ? application.placed() : 0;
    }

    /**
     * Returns the rank of an application, or null if none of its tasks can be tried now.
     *
     * @param budget reduced by the number of its task groups if they have to be visited
     */
    public static @Nullable ApplicationRank of(Application application, Partition partition, StepBudget budget) {
        if (!application.hasQueue()
                || application.pending() == 0
                || application.isBlocked()
                || !application.isSchedulable()) {
            return null;
        }
        long priority = 0;
        if (application.queue().usesPriorities()) {
            priority = Long.MIN_VALUE;
            budget.takeUpTo(application.groups().size());
            for (TaskGroup group : application.groups()) {
                if (group.pending() > 0) {
                    priority = Math.max(priority, group.kind().priority());
                }
            }
        }
        return new ApplicationRank(application, partition, priority);
    }

    /** Returns the application. */
    public Application application() {
        return application;
    }

    @Override
    public int compareTo(ApplicationRank other) {
        return ORDER.compare(this, other);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ApplicationRank rank && compareTo(rank) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(application.sequence());
    }
}
