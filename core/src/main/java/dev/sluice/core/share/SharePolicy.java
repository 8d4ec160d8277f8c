package dev.sluice.core.share;

import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import org.jspecify.annotations.Nullable;

/**
 * How a parent queue divides what is free among its children.
 *
 * <p>In a cycle the engine calls {@link #begin} once, with what is free. Then, again and again, it takes {@link #next} and
 * {@link #budget} from root down to a leaf, tries that leaf's next task, and reports: every child whose allocation, pending tasks,
 * priority or presence changed is reported by {@link #update}, what was placed besides by {@link #placed}. A task that exceeds a
 * budget is passed over until the policy calls {@link Child#requeue}.
 */
public interface SharePolicy {

    /** A budget without bounds. */
    long[] UNBOUNDED = {};

    /**
     * Begins a cycle.
     *
     * @param start what is free, and what the policy may do about it
     * @param allowance the most that the policies above let this queue take, as far as they know when the cycle begins, as limits by
     *     type
     */
    default void begin(CycleStart start, long[] allowance) {}

    /** The most that this child may take in the cycle that has begun, as far as is known, as limits by type. */
    default long[] allowance(Queue child) {
        return UNBOUNDED;
    }

    /** Takes note that below a child, after the cycle has begun, a task was preempted for others below the same child. */
    default void freed(Child child, long[] demand) {}

    /** Takes note that a child has changed, or was never reported so far. */
    void update(Child child);

    /** The child that is served next, or null when none can be in this cycle. */
    @Nullable Child next();

    /** The most that the child last returned by {@link #next} may take in this turn, as limits by type. */
    default long[] budget() {
        return UNBOUNDED;
    }

    /**
     * Takes note that the budget of the child last returned by {@link #next} is less than anything below that child takes. Nothing was passed
     * over, so the policy must serve somebody else, or give that child another budget.
     */
    default void exhausted(Child child) {
        throw new IllegalStateException("this policy has no budgets: " + child.queue());
    }

    /** Whether this child is ever served; the priority of one that is not counts for nothing. */
    default boolean serves(Child child) {
        return true;
    }

    /** Takes note that a task below a child was placed. */
    default void placed(Child child, long[] demand) {}

    /**
     * Whether {@link #next} would return a child; also while a child {@linkplain Child#isOverBudget is over its budget} and may still
     * be offered more, since a parent without a next child is left out for the rest of the cycle.
     */
    boolean hasNext();

    /** What the preemptions that this policy plans will free for those below it, as a vector; known once the cycle has begun. */
    default long[] expectedFreed() {
        return Vectors.empty();
    }

    /** The loans that may be reclaimed for a task below the child last served if no node has room for it, or null. */
    default @Nullable Reclaim reclaim() {
        return null;
    }

    /** Whether it may still reclaim loans in this cycle. */
    default boolean isReclaiming() {
        return false;
    }

    /** Like {@link #next}, but only a child for whose tasks loans may be reclaimed; or null. */
    default @Nullable Child nextBeneficiary() {
        return null;
    }

    /** Takes note that a task was preempted that its {@link #reclaim} names. */
    default void preempted(Task task) {
        throw new IllegalStateException("this policy does not preempt: " + task);
    }

    /** Whether tasks below this child were preempted for others in this cycle: then it starts none. */
    default boolean hasPreempted(Child child) {
        return false;
    }

    /** What a child was due by its usage when the last cycle began, or null if this policy does not go by usage. */
    default @Nullable UsageFigures usageOf(Queue child) {
        return null;
    }

    /** What a child was entitled to by its load when the last cycle began, or null if this policy does not go by load. */
    default @Nullable LoadClassShare loadOf(Queue child) {
        return null;
    }

    /** What there was to divide by load when the last cycle began, or null if this policy does not go by load. */
    default @Nullable LoadWorkers loadWorkers() {
        return null;
    }
}
