/**
 * Why something waits.
 *
 * <p>{@link dev.sluice.core.explain.Explainer} makes the checks of the cycle once more, on the state as it is, and answers with a
 * {@link dev.sluice.core.explain.WaitReason} for every task that holds no place.
 * What takes long is worked out piece by piece ({@link dev.sluice.core.explain.Explanation}), each with so many
 * {@link dev.sluice.core.explain.StepBudget}.
 */
package dev.sluice.core.explain;
