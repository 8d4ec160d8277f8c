/**
 * How fast the journal is: {@link dev.sluice.benchmarks.journal.JournalBenchmark} measures it on what
 * {@code BusyJournal} lets a busy cluster write, kept in memory by {@code InMemoryJournalStore}.
 */
package dev.sluice.benchmarks.journal;
