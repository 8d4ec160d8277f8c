/**
 * Data structures that keep an order up to date incrementally instead of sorting again.
 *
 * <ul>
 * <li>{@link dev.sluice.core.rank.RankedHeap}: a heap that returns the first element and moves an element whose rank
 *     has changed.
 * <li>{@link dev.sluice.core.rank.Tournament}: the same for a fixed number of entries, with fewer comparisons.
 * <li>{@link dev.sluice.core.rank.PriorityCounts}: a multiset of priorities that returns the highest.
 * </ul>
 */
package dev.sluice.core.rank;
