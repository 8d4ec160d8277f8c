/**
 * The test framework of the engine.
 *
 * <p>{@link dev.sluice.core.testing.ClusterUnderTest} drives a scheduler in virtual time. It contains a
 * {@link dev.sluice.core.testing.CheckedScheduler}, which records the journal and is checked after every cycle and, by
 * {@link dev.sluice.core.testing.SchedulerExtension}, after every test. {@link dev.sluice.core.testing.Invariants}
 * recomputes all counters; {@link dev.sluice.core.testing.StateText} compares the state with that of the replayed
 * journal and of a {@linkplain dev.sluice.core.testing.RecordedCheckpoint checkpoint}; {@code StateComparison} compares
 * all fields. {@link dev.sluice.core.testing.CheckpointedScheduler} continues from checkpoints of itself.
 */
package dev.sluice.core.testing;
