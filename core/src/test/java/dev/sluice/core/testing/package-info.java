/**
 * What tests of the engine stand on.
 *
 * <p>{@link dev.sluice.core.testing.ClusterUnderTest} is a scheduler in virtual time with few words to drive it;
 * {@link dev.sluice.core.testing.CheckedScheduler} is the scheduler inside, which keeps the journal and is checked after every cycle
 * and, by {@link dev.sluice.core.testing.SchedulerExtension}, after every test. The checks are
 * {@link dev.sluice.core.testing.Invariants}, which adds up everything anew, and the comparison of
 * {@link dev.sluice.core.testing.StateText} of the state with that of the folded journal and of what is read from an
 * {@linkplain dev.sluice.core.testing.RecordedCheckpoint checkpoint}; {@code StateComparison} compares them by all fields.
 * {@link dev.sluice.core.testing.CheckpointedScheduler} goes on from checkpoints of itself.
 */
package dev.sluice.core.testing;
