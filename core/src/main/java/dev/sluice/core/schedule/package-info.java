/**
 * The orders that the scheduler walks along: kept up to date, never made again while a cycle runs.
 *
 * <p>{@link dev.sluice.core.schedule.PartitionSchedule} holds them all. A {@code QueueSchedule} is one queue: a leaf has a
 * {@code LeafOrder} of its applications, a parent a {@link dev.sluice.core.share.SharePolicy} over its children. An
 * {@code ApplicationSchedule} is one application with its {@code Backlog}s, each the pending tasks of one {@code EquivalenceClass};
 * {@code NodeCapacityIndex} tells for which shapes there is room and where: {@code NodeOrder} keeps the nodes in order, in a {@code CapacityTree},
 * with amounts that tell of two types at once ({@code PairedCapacity}).
 *
 * <p>The state tells what has changed ({@link dev.sluice.core.state.Changes}). Placing a task touches its application, the queues
 * above it and one node, each at the cost of a step in a heap or a tree: no order is sorted, no full node is visited.
 */
package dev.sluice.core.schedule;
