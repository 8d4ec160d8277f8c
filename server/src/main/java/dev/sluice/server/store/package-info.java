/**
 * The journal in SQL: in a folder of this machine with SQLite, or in PostgreSQL.
 *
 * <p>{@link dev.sluice.server.store.Stores} opens one. {@code SqlStore} is what both have in common: one {@code Writer}, which is a
 * connection that everything goes through that changes anything, in short transactions and in turn, and which connects again after a
 * failure; and the tables, {@code JournalTable}, {@code CheckpointTables} and {@code HistoryTables}, which are read through a small pool.
 * {@code Database} is in what the two differ: {@code SqliteDatabase} with {@code FolderLock}, {@code AcknowledgedFile} and {@code
 * WriteAheadLog}; {@code PostgresDatabase} with an advisory lock.
 *
 * <p>Three things are checked wherever the journal is read: the checksum of every batch, that none is missing, and that it does not end
 * before what was acknowledged. Nothing that was committed is ever cut by itself. The decision record 0017 tells why all this is as it is.
 */
package dev.sluice.server.store;
