package dev.sluice.server.store;

import dev.sluice.runtime.detached.DetachedRunner;
import dev.sluice.runtime.journal.JournalReader;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a data folder whose journal is in SQLite and changes nothing in it. A server may use the folder meanwhile. If
 * none does, none can start until this is closed.
 */
public final class FolderReader implements JournalReader, AutoCloseable {

    private static final int PROBLEMS_MAX = 10;

    private final Path folder;
    private final FolderLock.Guard guard;
    private final List<Path> sideFiles = new ArrayList<>();
    private final ReadOnlyDatabase database;
    private final JournalTable journal;
    private final CheckpointTables checkpoints;
    private final long acknowledged;
    private final long last;

    private FolderReader(Path folder) throws IOException, StoreException {
        this.folder = folder;
        Path file = database(folder);
        guard = FolderLock.Guard.of(folder);
        // before the database, which must reach it
        acknowledged = AcknowledgedFile.read(folder);
        boolean isImmutable = !guard.isInUse() && !hasLog();
        if (!isImmutable && !guard.isInUse()) {
            Path index = folder.resolve(SqliteDatabase.FILE + "-shm");
            if (!Files.exists(index)) {
                sideFiles.add(index);
            }
        }
        database = new ReadOnlyDatabase(file, isImmutable);
        journal = new JournalTable(database);
        checkpoints = new CheckpointTables(database, new Writer(database, session -> {}));
        try {
            last = inSession("read the journal", journal::last);
        } catch (StoreException e) {
            close();
            throw e;
        }
    }

    /**
     * Opens a folder.
     *
     * @throws StoreException if it has no database, or its end is damaged
     * @throws IOException if it cannot be read
     */
    public static FolderReader open(Path folder) throws IOException, StoreException {
        return new FolderReader(folder.toRealPath());
    }

    /** Returns the database file of a folder. */
    private static Path database(Path folder) throws IOException, StoreException {
        Path file = folder.resolve(SqliteDatabase.FILE);
        if (Files.exists(file) && Files.size(file) > 0) {
            return file;
        }
        throw new StoreException(
                Kind.UNUSABLE,
                Files.exists(folder.resolve(FolderIdentity.FILE))
                        ? "the data folder " + folder + " has no " + SqliteDatabase.FILE + ": if its journal is in"
                                + " PostgreSQL, use the tools of PostgreSQL"
                        : folder + " is not a data folder: it has no " + SqliteDatabase.FILE);
    }

    /**
     * Writes a verified copy of the database, identity and acknowledged file into another folder. The copy is complete
     * only if this folder has no {@linkplain #problems() problems}: what this one has lost is unknown to the copy.
     */
    public void copyTo(Path other) throws IOException, StoreException {
        Path copy = other.resolve(SqliteDatabase.FILE);
        try (Connection connection = database.readers().getConnection();
                PreparedStatement statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, copy.toString());
            statement.execute();
        } catch (SQLException e) {
            throw Failures.of(database, "write a copy to " + copy, e);
        }
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Path identity = folder.resolve(FolderIdentity.FILE);
        if (Files.exists(identity)) {
            Files.copy(identity, other.resolve(FolderIdentity.FILE));
        }
        try (FolderReader written = open(other);
                AcknowledgedFile file = new AcknowledgedFile(other)) {
            file.write(written.lastSequence());
        }
    }

    /** Returns whether a server uses the folder. */
    public boolean isInUse() {
        return guard.isInUse();
    }

    /** Returns whether the write-ahead log has content. */
    private boolean hasLog() throws IOException {
        Path log = folder.resolve(SqliteDatabase.FILE + "-wal");
        return Files.exists(log) && Files.size(log) > 0;
    }

    /** Returns the problems of the files beside the database and of its pages, each with a remedy. */
    public List<String> problems() throws IOException, StoreException {
        List<String> problems = new ArrayList<>();
        if (acknowledged > last) {
            problems.add("the journal in " + database.name() + " ends at event " + last + ", but events up to "
                    + acknowledged + " have been acknowledged. Restore a backup, or accept the loss with"
                    + " sluice serve --accept-loss");
        } else if (acknowledged < 0 && !guard.isInUse()) {
            problems.add("the file " + folder.resolve(AcknowledgedFile.FILE) + " is damaged, so the end of the journal"
                    + " cannot be verified. The next start writes it again");
        }
        WriteAheadLog log = guard.isInUse()
                ? new WriteAheadLog(0, 0, 0)
                : WriteAheadLog.read(folder.resolve(SqliteDatabase.FILE + "-wal"));
        if (log.lost() > 0) {
            problems.add("the write-ahead log of " + database.name() + " is damaged after " + log.recovered()
                    + " transactions: " + log.lost() + " later ones cannot be used. Copy the folder before the next"
                    + " start, and restore a backup");
        }
        long latest = isCurrent() ? inSession("read the checkpoints", CheckpointTables::latest) : 0;
        long end = inSession("read the journal", journal::last); // after the checkpoint: a server may have added both
        if (latest > end) {
            problems.add(database.name() + " ends at event " + end + ", but has a checkpoint of event " + latest
                    + ". Restore a backup, or accept the loss with sluice serve --accept-loss");
        }
        problems.addAll(identityProblems());
        problems.addAll(pageProblems());
        return problems;
    }

    private List<String> identityProblems() throws IOException, StoreException {
        long journalOwner = inSession(
                "read the owner of the journal",
                session -> session.number("SELECT value FROM meta WHERE name = 'folder'", -1));
        String identity = identity();
        if (journalOwner < 0 || HexFormat.of().toHexDigits(journalOwner).equals(identity)) {
            return List.of();
        }
        return List.of("the journal belongs to the data folder with identity "
                + HexFormat.of().toHexDigits(journalOwner) + ", but " + folder.resolve(FolderIdentity.FILE)
                + (identity == null ? " does not exist" : " is " + identity)
                + ". Restore the file, or, if none of its tasks is running, start once with sluice serve --adopt");
    }

    /** Returns the text of the folder's identity; null if it has none. */
    public @Nullable String identity() throws IOException {
        Path file = folder.resolve(FolderIdentity.FILE);
        return Files.exists(file) ? Files.readString(file).strip() : null;
    }

    /** Returns processes of tasks of this folder, or of another with the same identity, on this machine. */
    public List<Long> runningProcesses() throws IOException {
        String identity = identity();
        return identity == null ? List.of() : DetachedRunner.pidsWithMark(identity);
    }

    private List<String> pageProblems() throws StoreException {
        List<String> problems = new ArrayList<>();
        try (Connection connection = database.readers().getConnection();
                PreparedStatement check = connection.prepareStatement("PRAGMA integrity_check(" + PROBLEMS_MAX + ")");
                ResultSet rows = check.executeQuery()) {
            while (rows.next()) {
                if (!rows.getString(1).equals("ok")) {
                    problems.add(database.name() + " is damaged: "
                            + rows.getString(1).replace('\n', ' ') + ". Restore a backup");
                }
            }
        } catch (SQLException e) {
            throw Failures.of(database, "check the pages", e);
        }
        return problems;
    }

    /**
     * Returns whether the tables have the layout that this program reads; otherwise the next start migrates them.
     *
     * @throws StoreException if a newer program wrote them
     */
    public boolean isCurrent() throws StoreException {
        try (Connection connection = database.readers().getConnection()) {
            return Schema.isCurrent(database, connection);
        } catch (SQLException e) {
            throw Failures.of(database, "read the version of the tables", e);
        }
    }

    private <T> T inSession(String what, Writer.TransactionBody<T> body) throws StoreException {
        try (Connection connection = database.readers().getConnection();
                Session session = new Session(connection)) {
            return body.in(session);
        } catch (SQLException e) {
            throw Failures.of(database, what, e);
        }
    }

    @Override
    public long lastSequence() {
        return last;
    }

    @Override
    public long firstSequence() throws StoreException {
        return inSession("read the journal", JournalTable::first);
    }

    @Override
    public void read(long after, JournalStore.BatchReader reader) throws StoreException {
        journal.read(after, last, reader);
    }

    @Override
    public JournalStore.@Nullable Checkpoint checkpointBefore(long sequence) throws StoreException {
        return checkpoints.before(sequence);
    }

    @Override
    public void close() {
        database.close();
        try {
            for (Path file : sideFiles) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // SQLite rebuilds the file at the next start
        }
        guard.close();
    }
}
