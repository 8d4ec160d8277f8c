/**
 * The state of the scheduler, and the events that change it.
 *
 * <p>{@link dev.sluice.core.state.SchedulerState} contains {@linkplain dev.sluice.core.state.Partition partitions}. A
 * partition contains {@linkplain dev.sluice.core.state.Node nodes}, a
 * {@linkplain dev.sluice.core.state.QueueTree queue tree} and
 * {@linkplain dev.sluice.core.state.Application applications}. An application contains
 * {@linkplain dev.sluice.core.state.TaskGroup groups} of identical tasks. A task that is allocated on a node is a
 * {@link dev.sluice.core.state.Task}; tasks that are not allocated exist only as counts in their group.
 *
 * <p>Any code may read these objects, but once they are built only an {@link dev.sluice.core.state.Event} that is applied
 * changes them.
 * There are four families of events: {@link dev.sluice.core.state.PartitionEvent},
 * {@link dev.sluice.core.state.NodeEvent}, {@link dev.sluice.core.state.ApplicationEvent} and
 * {@link dev.sluice.core.state.TaskEvent}. Applying an event updates all counts (allocated, pending, active) in time
 * that does not depend on the size of the state. {@link dev.sluice.core.state.Changes} records which objects an event
 * has changed, so that {@link dev.sluice.core.schedule} can update its orders.
 *
 * <p>Where an event is applied depends on its family: {@code Partition} and {@code QueueTree} handle partitions and
 * queues, {@code Nodes} nodes, {@code Applications} applications and the addition of tasks, and {@code Tasks}
 * everything that happens to tasks after that. {@code Demand} sums up what tasks request, and {@code Timers} orders
 * what is due in the future.
 *
 * <p>Three classes are indexes that avoid a scan of all applications: {@link dev.sluice.core.state.Users} counts the
 * applications of each user, {@link dev.sluice.core.state.Lineages} groups applications by tag and basis, and
 * {@link dev.sluice.core.state.DurationHistory} has the mean durations of earlier runs.
 *
 * <p>There may be millions of pending tasks, so a group uses little memory until its first event: {@code TaskGroups}
 * shares what the groups of an application have in common, {@code Names} stores their names compactly, and
 * {@code TaskProgress} stores what has happened to the tasks of one group.
 *
 * <p>{@link dev.sluice.core.state.SchedulerState#writeTo} writes the whole state as a checkpoint. Each class writes and
 * reads its own part with {@code PartitionCheckpointWriter} and {@code PartitionCheckpointReader}, and
 * {@code QueueCheckpoint} those of the queues. {@link dev.sluice.core.state.StateRestorer} builds a state from less: what
 * a snapshot says about applications.
 *
 * <p>Amounts of resources are stored as {@linkplain dev.sluice.core.state.Vectors vectors}.
 */
package dev.sluice.core.state;
