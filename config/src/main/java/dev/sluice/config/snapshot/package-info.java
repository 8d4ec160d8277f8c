/**
 * Snapshots, which are clusters at one instant, and job files.
 *
 * <p>A {@link dev.sluice.config.snapshot.Snapshot} holds partitions, {@linkplain dev.sluice.config.snapshot.NodeEntry nodes},
 * {@linkplain dev.sluice.config.snapshot.ApplicationEntry applications} with their
 * {@linkplain dev.sluice.config.snapshot.TaskEntry tasks}, and {@linkplain dev.sluice.config.snapshot.QueueEntry what no task
 * tells about a queue}. What is alike is one entry with a count, in the file and in memory; where some of it
 * is in another state, that is a {@linkplain dev.sluice.config.snapshot.TaskPart part}.
 *
 * <p>{@link dev.sluice.config.snapshot.SnapshotReader} reads one and checks that it is whole: every name that is referred to is
 * there, no id is there twice, no tasks wait for each other, and every task that runs has room where it stands.
 * {@link dev.sluice.config.snapshot.SnapshotWriter} writes one as YAML or JSON, so that reading it gives an equal value.
 * {@link dev.sluice.config.snapshot.RunningTaskPlacement} says on which node each running task stands.
 * {@link dev.sluice.config.snapshot.SnapshotLoader} makes a scheduler of a snapshot, and
 * {@link dev.sluice.config.snapshot.SnapshotBuilder} a snapshot of what a scheduler knows.
 *
 * <p>A {@link dev.sluice.config.snapshot.JobFile}, read by {@link dev.sluice.config.snapshot.JobFileReader}, holds applications
 * whose tasks have {@linkplain dev.sluice.core.application.TaskCommand commands}, to be run on this machine. A snapshot may hold
 * commands too; they mean nothing to a plan, and the writer keeps them.
 *
 * <p>For a simulation the same file is read as a {@link dev.sluice.config.snapshot.JobWorkload}: tasks then have durations, and
 * a {@link dev.sluice.config.snapshot.WorkloadSubmission} says when, and how often, an application is submitted. Of files of other
 * kinds {@link dev.sluice.config.snapshot.NodeListReader} reads the nodes.
 */
package dev.sluice.config.snapshot;
