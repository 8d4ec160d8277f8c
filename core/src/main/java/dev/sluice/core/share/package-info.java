/**
 * Share policies: how a parent queue divides free capacity among its children.
 *
 * <p>{@link dev.sluice.core.share.SharePolicy} is the interface of all policies; {@link dev.sluice.core.share.Child} is
 * their view of a queue. {@link dev.sluice.core.share.FairShare} serves the smallest
 * {@linkplain dev.sluice.core.share.DominantShare dominant share} first. {@link dev.sluice.core.share.LoadShare} gives
 * every child its percentage of the workers and loans the rest, computed by {@link dev.sluice.core.share.LoadDivision};
 * it reports the result as {@link dev.sluice.core.share.LoadWorkers} and {@link dev.sluice.core.share.LoadClassShare}.
 * {@link dev.sluice.core.share.UsageShare} divides by decayed usage, computed by
 * {@link dev.sluice.core.share.UsageDivision}.
 */
package dev.sluice.core.share;
