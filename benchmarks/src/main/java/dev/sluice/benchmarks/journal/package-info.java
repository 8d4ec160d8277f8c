/**
 * Measures the journal: {@link dev.sluice.benchmarks.journal.JournalBenchmark} writes and reads the events of a
 * {@code BusyJournal} in an {@code InMemoryJournalStore}.
 */
package dev.sluice.benchmarks.journal;
