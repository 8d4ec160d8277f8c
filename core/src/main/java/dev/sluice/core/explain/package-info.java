/**
 * Explanations of why tasks wait.
 *
 * <p>{@link dev.sluice.core.explain.Explainer} repeats the checks of a cycle on the current state and returns a
 * {@link dev.sluice.core.explain.WaitReason} for every task that is not allocated. Expensive explanations are computed
 * in steps ({@link dev.sluice.core.explain.Explanation}), each limited by a {@link dev.sluice.core.explain.StepBudget}.
 * {@link dev.sluice.core.explain.AllocationText} describes allocated tasks, and
 * {@link dev.sluice.core.explain.ApplicationRank} says in which order the applications of a queue are tried.
 */
package dev.sluice.core.explain;
