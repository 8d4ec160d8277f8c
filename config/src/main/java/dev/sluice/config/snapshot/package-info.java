/**
 * Reads, writes, captures and loads snapshots of a cluster; reads job files.
 *
 * <p>A {@link dev.sluice.config.snapshot.Snapshot} holds partitions,
 * {@linkplain dev.sluice.config.snapshot.NodeEntry nodes}, {@linkplain dev.sluice.config.snapshot.ApplicationEntry
 * applications} with their {@linkplain dev.sluice.config.snapshot.TaskEntry tasks}, and the {@linkplain
 * dev.sluice.config.snapshot.QueueEntry past usage of queues}. Equal nodes or tasks are one entry with a count, in the
 * file and in memory; tasks in another state than the rest are a {@linkplain dev.sluice.config.snapshot.TaskPart part}.
 * The keys with their documentation are in {@code FileKeys}.
 *
 * <p>{@link dev.sluice.config.snapshot.SnapshotReader} reads a snapshot and checks that it is consistent: every
 * reference exists, ids are unique, dependencies have no cycles, and every running task fits on its node.
 * {@link dev.sluice.config.snapshot.SnapshotWriter} writes one as YAML or JSON, so that reading it gives an equal
 * value. {@link dev.sluice.config.snapshot.RunningTaskPlacement} finds the node of each running task.
 * {@link dev.sluice.config.snapshot.SnapshotLoader} creates a scheduler from a snapshot, with what
 * {@code SnapshotAssumptions} adds where it is silent, and {@link dev.sluice.config.snapshot.SnapshotBuilder} a
 * snapshot from a scheduler.
 *
 * <p>A {@link dev.sluice.config.snapshot.JobFile}, read by {@link dev.sluice.config.snapshot.JobFileReader}, holds
 * applications whose tasks have {@linkplain dev.sluice.core.application.TaskCommand commands} to run on this machine.
 * Snapshots may have commands, too: {@code plan} ignores them, and the writer keeps them.
 *
 * <p>For a simulation the same file is read as a {@link dev.sluice.config.snapshot.JobWorkload}: its tasks have
 * durations, and a {@link dev.sluice.config.snapshot.WorkloadSubmission} has the instants of the submissions of an
 * application. {@link dev.sluice.config.snapshot.NodeListReader} reads the nodes of other files.
 */
package dev.sluice.config.snapshot;
