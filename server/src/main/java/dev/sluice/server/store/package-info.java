/**
 * The journal in SQL: in a local folder with SQLite, or in PostgreSQL.
 *
 * <p>{@link dev.sluice.server.store.Stores} opens a journal. {@code SqlStore} is what both databases have in common:
 * one {@code Writer}, a connection for all changes, in short transactions, which reconnects after a failure; and the
 * tables {@code JournalTable}, {@code CheckpointTables} and {@code HistoryTables}, read through a small pool.
 * {@code Database} is what differs: {@code SqliteDatabase} with {@code FolderLock}, {@code AcknowledgedFile} and
 * {@code WriteAheadLog}; {@code PostgresDatabase} with an advisory lock and an
 * epoch. {@code FolderReader} reads a SQLite journal for
 * backups and checks, without changing anything.
 *
 * <p>Whenever the journal is read, three things are verified: the checksum of every batch, that no batch is missing,
 * and that the journal does not end before the last acknowledged event. Committed events are never truncated
 * automatically. Decision record 0017 explains the design.
 */
package dev.sluice.server.store;
