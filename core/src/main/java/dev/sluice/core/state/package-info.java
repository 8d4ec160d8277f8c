/**
 * What the scheduler knows, and the events that change it.
 *
 * <p>{@link dev.sluice.core.state.SchedulerState} holds {@linkplain dev.sluice.core.state.Partition partitions}. A partition holds
 * {@linkplain dev.sluice.core.state.Node nodes}, a {@linkplain dev.sluice.core.state.QueueTree queue tree} and
 * {@linkplain dev.sluice.core.state.Application applications}; an application holds
 * {@linkplain dev.sluice.core.state.TaskGroup groups} of tasks that are alike, and each task that has a place is a
 * {@link dev.sluice.core.state.Task}.
 *
 * <p>All of them are read by everybody and changed by nobody but an {@link dev.sluice.core.state.Event} that is applied. Events
 * come in four families: {@link dev.sluice.core.state.PartitionEvent}, {@link dev.sluice.core.state.NodeEvent},
 * {@link dev.sluice.core.state.ApplicationEvent} and {@link dev.sluice.core.state.TaskEvent}. What is counted (allocated,
 * pending, active) is counted when an event is applied, in time that does not depend on how much there is.
 * {@link dev.sluice.core.state.Changes} tells the engine which orders an event has disturbed.
 *
 * <p>What events do is found by their family: {@code Partition} itself sees to its queues, {@code Nodes} to nodes, {@code Applications}
 * to applications up to the tasks that are added to them, and {@code Tasks} to what becomes of those. {@code Demand} adds up what is
 * asked for, and {@code Timers} has what time will change.
 *
 * <p>Three classes answer what would else take a look at all applications: {@link dev.sluice.core.state.Users} who has how many,
 * {@link dev.sluice.core.state.Lineages} which belong together by their tags, and {@link dev.sluice.core.state.DurationHistory} how long
 * earlier runs took.
 *
 * <p>Tasks that wait are many, so a group holds little of its own until something happens to it: {@code TaskGroups} keeps once what the
 * groups of an application have in common, {@code Names} their names, {@code TaskProgress} what has become of one.
 *
 * <p>All of it can be written as a checkpoint, see {@link dev.sluice.core.state.SchedulerState#writeTo}: each class writes and reads what is
 * its own, with {@code PartitionCheckpointWriter} and {@code PartitionCheckpointReader}; {@code QueueCheckpoint} does for queues.
 *
 * <p>Amounts are kept as {@linkplain dev.sluice.core.state.Vectors vectors}.
 */
package dev.sluice.core.state;
