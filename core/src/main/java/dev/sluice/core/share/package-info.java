/**
 * How a parent queue divides what is free among its children.
 *
 * <p>{@link dev.sluice.core.share.SharePolicy} is the one shape of all policies, {@link dev.sluice.core.share.Child} what they see
 * of a queue. {@link dev.sluice.core.share.FairShare} serves the smallest
 * {@linkplain dev.sluice.core.share.DominantShare dominant share} first; {@link dev.sluice.core.share.LoadShare} gives every child
 * its percentage of the workers and loans what is left, by the arithmetic of {@link dev.sluice.core.share.LoadDivision}, and
 * tells by {@link dev.sluice.core.share.LoadWorkers} and {@link dev.sluice.core.share.LoadClassShare} what that came to.
 */
package dev.sluice.core.share;
