/**
 * Orders that are kept instead of being made again.
 *
 * <p>A {@link dev.sluice.core.rank.RankedHeap} tells the first of many elements and puts one right whose rank has changed;
 * a {@link dev.sluice.core.rank.Tournament} does the same for a fixed number of seats, faster;
 * {@link dev.sluice.core.rank.PriorityCounts} tells the highest of many priorities.
 */
package dev.sluice.core.rank;
