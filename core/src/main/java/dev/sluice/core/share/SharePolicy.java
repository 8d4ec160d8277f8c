package dev.sluice.core.share;

import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a parent queue divides free capacity among its children.
 *
 * <p>The engine calls {@link #begin} once per cycle. Then it repeatedly takes {@link #next} and {@link #budget} from
 * root down to a leaf, tries the leaf's next task, and reports the result: {@link #update} for every child whose
 * allocation, pending tasks, priority or eligibility changed, and {@link #placed} for a placement. A task that exceeds
 * a budget is deferred until the policy calls {@link Child#requeue}.
 */
public interface SharePolicy {

    /** An unlimited budget. */
    long[] UNBOUNDED = {};

    /**
     * Begins a cycle.
     *
     * @param start the free capacity, and what the policy may do about it
     * @param allowance the maximum that the policies above grant this queue, as known at the start of the cycle, as
     *     limits by type
     */
    default void begin(CycleStart start, long[] allowance) {}

    /** Returns the maximum that this child may take in the current cycle, as far as known, as limits by type. */
    default long[] allowance(Queue child) {
        return UNBOUNDED;
    }

    /** Called when a task below a child was preempted for another task below the same child, during the cycle. */
    default void freed(Child child, long[] demand) {}

    /** Called when a child has changed, and once for every new child. */
    void update(Child child);

    /** Returns the child to serve next, or null if no child can be served in this cycle. */
    @Nullable Child next();

    /** Returns the maximum that the last child returned by {@link #next} may take now, as limits by type. */
    default long[] budget() {
        return UNBOUNDED;
    }

    /**
     * Returns the most that a gang below a child may take now, if this is the child's budget: where single tasks are
     * handed out, a gang counts as one.
     */
    default long[] gangBudget(long[] budget) {
        return budget;
    }

    /**
     * Whether a single pending task may exceed a budget of this policy, and the policy is {@linkplain #exhausted told}
     * when all of them do. If so, the queues below track the demands of their pending tasks, and none of them is
     * skipped as a whole for another limit: the policy serves a child once for each of its tasks.
     */
    default boolean hasBudgetsBelowDemand() {
        return false;
    }

    /** Whether the policy serves the same tasks in whatever order the tasks below it are skipped. */
    default boolean ignoresSkipOrder() {
        return false;
    }

    /** Whether the policy uses {@link Child#startableTasks}, so that the queues below it have to count them. */
    default boolean countsStartableTasks() {
        return false;
    }

    /**
     * Called when nothing below the last child returned by {@link #next} fits its budget. No task was deferred, so the
     * policy must serve another child or grant this one another budget. Only policies that
     * {@linkplain #hasBudgetsBelowDemand have such budgets} are called.
     */
    default void exhausted(Child child) {
        throw new IllegalStateException("this policy has no budgets: " + child.queue());
    }

    /** Whether this child is ever served; priorities below one that is not are ignored. */
    default boolean serves(Child child) {
        return true;
    }

    /** Called when a task below a child was placed. */
    default void placed(Child child, long[] demand) {}

    /**
     * Whether {@link #next} would return a child. Also true while a child
     * {@linkplain Child#isOverBudget is over its budget} and may still get a larger one, since a parent without a next
     * child is skipped for the rest of the cycle.
     */
    boolean hasNext();

    /**
     * Returns the capacity that planned preemptions of this policy will free for the queues below it, as a vector;
     * valid once the cycle has begun.
     */
    default long[] expectedFreed() {
        return Vectors.empty();
    }

    /**
     * Returns the loans that may be reclaimed for a task below the last served child if it fits on no node, or null.
     */
    default @Nullable Reclaim reclaim() {
        return null;
    }

    /** Whether loans may still be reclaimed in this cycle. */
    default boolean isReclaiming() {
        return false;
    }

    /** Returns when more loans may be reclaimed without any event, or null; valid once the cycle has begun. */
    default @Nullable Instant due() {
        return null;
    }

    /** Like {@link #next}, but only returns a child for whose tasks loans may be reclaimed, or null. */
    default @Nullable Child nextBeneficiary() {
        return null;
    }

    /** Called when a task named by {@link #reclaim} was preempted. */
    default void preempted(Task task) {
        throw new IllegalStateException("this policy does not preempt: " + task);
    }

    /** Whether tasks below this child were preempted for other children in this cycle: then it starts none. */
    default boolean hasPreempted(Child child) {
        return false;
    }

    /**
     * Returns what this policy computed for a child at the start of the last cycle, or null if there is nothing to
     * report.
     *
     * @param now the time for which figures that change between cycles are returned; not before the last cycle
     */
    default @Nullable ShareFigures figuresOf(Queue child, Instant now) {
        return null;
    }

    /** Returns what this policy divided at the start of the last cycle, or null if there is nothing to report. */
    default @Nullable ShareFigures divided() {
        return null;
    }
}
