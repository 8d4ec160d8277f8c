package dev.sluice.server.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * A journal in a folder: {@code sluice.db}, a SQLite database with a write-ahead log synced at every commit;
 * {@code sluice.lock}, which names the process that writes; {@code acknowledged}, the last acknowledged event.
 */
final class SqliteDatabase implements Database {

    /** The name of the database file. */
    static final String FILE = "sluice.db";

    /** Above this size the write-ahead log is checkpointed even if appends must wait for readers. */
    private static final long LOG_BYTES_MAX = 64 << 20;

    /** Number of commits between checks of the log's size. */
    private static final int LOG_CHECK_COMMITS = 256;

    /**
     * Number of 4 kB pages after which SQLite checkpoints the write-ahead log; it restarts the log when no reader needs
     * it.
     */
    private static final int LOG_PAGES = 4_000;

    private static final int CACHE_KILOBYTES = 32_000;

    private static final long ROOM_MIN_BYTES = 1 << 20;

    private final Path folder;
    private final Path file;
    private final StoreOptions options;
    private final Consumer<SQLiteConfig> tuning;
    private final FolderLock lock;
    private final HikariDataSource readers;
    private @Nullable AcknowledgedFile acknowledged;
    private volatile boolean ready;
    private int commits;

    private SqliteDatabase(Path folder, StoreOptions options, Consumer<SQLiteConfig> tuning, FolderLock lock) {
        this.folder = folder;
        file = folder.resolve(FILE);
        this.options = options;
        this.tuning = tuning;
        this.lock = lock;
        SQLiteConfig reading = config();

        readers = Readers.pool("sluice-sqlite", source(reading));
    }

    /** Locks and opens the folder; creates it if it does not exist. */
    static SqliteDatabase open(Path path, StoreOptions options, Consumer<SQLiteConfig> tuning) throws StoreException {
        Path folder = path;
        try {
            folder = DataFolder.prepare(path);
            if (folder.toString().contains("?")) {
                throw new StoreException(
                        Kind.UNUSABLE, "the data folder " + folder + " must not have a question mark in its path");
            }
            FolderLock lock = FolderLock.acquire(folder);
            try {
                checkLog(folder, options);
                // SQLite gives its side files the permissions of the database.
                PrivateFiles.ensureFile(folder.resolve(FILE));
                return new SqliteDatabase(folder, options, tuning, lock);
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException | ReadOnlyFileSystemException e) {
            boolean full = isFull(folder);
            throw new StoreException(
                    full ? Kind.FULL : Kind.UNUSABLE,
                    "cannot use the data folder " + path + ": " + why(e)
                            + (full ? ". Free disk space" : ". Its owner must be able to read and write it"),
                    e);
        }
    }

    private static String why(Exception e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        String reason = e instanceof FileSystemException failure ? failure.getReason() : null;
        return reason == null ? Failures.reason(e) : reason;
    }

    private static boolean isFull(Path folder) {
        try {
            return !Files.getFileStore(folder).isReadOnly()
                    && Files.getFileStore(folder).getUsableSpace() < ROOM_MIN_BYTES;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reports transactions that SQLite is about to discard, and keeps a copy of the log if they may have been
     * acknowledged.
     */
    private static void checkLog(Path folder, StoreOptions options) throws IOException {
        Path log = folder.resolve(FILE + "-wal");
        WriteAheadLog found = WriteAheadLog.read(log);
        if (found.lost() > 0) {
            Path copy = Files.createTempFile(folder, FILE + "-wal-damaged-", "");
            Files.copy(log, copy, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            options.notices()
                    .accept("the write-ahead log of " + folder.resolve(FILE) + " is damaged after " + found.recovered()
                            + " transactions: " + found.lost() + " later ones cannot be used. A copy is kept in "
                            + copy);
        } else if (found.torn() > 0) {
            options.notices()
                    .accept("a transaction of " + folder.resolve(FILE)
                            + " was incomplete and has been rolled back. None of it had been acknowledged");
        }
    }

    private SQLiteConfig config() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(5_000);
        config.setJournalSizeLimit((int) LOG_BYTES_MAX);
        return config;
    }

    private DataSource source(SQLiteConfig config) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return source;
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public Dialect dialect() {
        return Dialect.SQLITE;
    }

    @Override
    public Connection connect(boolean again) throws SQLException, StoreException {
        if (again && !writeBack(5_000)) {
            throw new StoreException(
                    Kind.UNAVAILABLE,
                    name() + " cannot be checkpointed after a failure while readers are active. Retrying");
        }
        SQLiteConfig config = config();

        tuning.accept(config);
        Connection connection = source(config).getConnection();
        try {
            prepareToWrite(connection);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Uses full fsync on platforms where the default does not reach the disk (macOS). */
    private static void prepareToWrite(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA fullfsync = 1");
            statement.execute("PRAGMA checkpoint_fullfsync = 1");
            statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
            statement.execute("PRAGMA cache_size = -" + CACHE_KILOBYTES);
        }
    }

    /**
     * Checkpoints and truncates the write-ahead log. After a failure this ensures that what can be read is durable: a
     * log whose sync failed can still be read from the page cache.
     */
    private boolean writeBack(int patienceMillis) throws SQLException {
        SQLiteConfig config = config();
        config.setBusyTimeout(patienceMillis);
        try (Connection connection = source(config).getConnection();
                Statement statement = connection.createStatement()) {
            prepareToWrite(connection);
            ResultSet row = statement.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)");
            return row.next() && row.getInt(1) == 0;
        }
    }

    @Override
    public DataSource readers() {
        return readers;
    }

    @Override
    public DataSource migrators() {
        SQLiteConfig config = config();
        tuning.accept(config);
        return source(config);
    }

    @Override
    public Kind kindOf(SQLException error) {
        SQLiteErrorCode code = code(error);
        if (code == null) {
            return Kind.UNAVAILABLE;
        }
        return switch (code) {
            case SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS -> Kind.DAMAGED;
            default -> primaryKind(SQLiteErrorCode.getErrorCode(code.code & 0xff));
        };
    }

    private Kind primaryKind(SQLiteErrorCode code) {
        return switch (code) {
            case SQLITE_FULL, SQLITE_IOERR -> Kind.FULL;
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT -> Kind.DAMAGED;
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> {
                if (isFull(folder)) {
                    yield Kind.FULL;
                }
                yield ready ? Kind.UNAVAILABLE : Kind.UNUSABLE;
            }
            // tables or columns differ from those created
            case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT -> Kind.DAMAGED;
            case SQLITE_TOOBIG, SQLITE_RANGE, SQLITE_MISUSE -> Kind.UNUSABLE;
            default -> Kind.UNAVAILABLE;
        };
    }

    /** Returns SQLite's code of an error, or null. */
    static @Nullable SQLiteErrorCode code(SQLException error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLiteException sqlite) {
                return sqlite.getResultCode();
            }
        }
        return null;
    }

    /** Returns false: after a disk failure only a new connection reliably sees what was written. */
    @Override
    public boolean isUsableAfter(SQLException error) {
        return false;
    }

    @Override
    public void requireNotTruncated(long last) throws StoreException {
        try {
            long expected = AcknowledgedFile.read(folder);
            if (expected > last && !options.acceptLoss()) {
                throw new StoreException(
                        Kind.DAMAGED,
                        "the journal in " + file + " ends at event " + last + ", but events up to " + expected
                                + " have been acknowledged: " + (expected - last)
                                + " are missing. Restore a backup or the file, or accept the loss with --accept-loss");
            }
            if (expected > last) {
                options.notices().accept("events " + (last + 1) + " to " + expected + " of " + file + " are lost");
            } else if (expected < 0) {
                options.notices()
                        .accept("the file " + folder.resolve(AcknowledgedFile.FILE)
                                + " is damaged, so the end of the journal cannot be verified");
            }
            acknowledged = new AcknowledgedFile(folder);
            acknowledged.write(last);
        } catch (IOException e) {
            throw new StoreException(
                    isFull(folder) ? Kind.FULL : Kind.UNUSABLE,
                    "cannot use " + folder.resolve(AcknowledgedFile.FILE) + ": " + Failures.reason(e),
                    e);
        }
        ready = true;
    }

    @Override
    public void committed(long last) {
        try {
            if (acknowledged != null) {
                acknowledged.write(last);
            }
        } catch (IOException e) {
            options.notices()
                    .accept("cannot write " + folder.resolve(AcknowledgedFile.FILE) + ": " + Failures.reason(e)
                            + ". No data is lost, but a loss would be detected later");
        }
        if (++commits % LOG_CHECK_COMMITS == 0) {
            shortenLog();
        }
    }

    /**
     * Truncates a write-ahead log that has grown because it never restarts while readers need it; waits for the
     * readers.
     */
    private void shortenLog() {
        try {
            if (Files.size(folder.resolve(FILE + "-wal")) > LOG_BYTES_MAX) {
                writeBack(100);
            }
        } catch (IOException | SQLException e) {
            // retried later; serious errors fail in append and are reported there
        }
    }

    @Override
    public void close() {
        readers.close();
        try {
            if (acknowledged != null) {
                acknowledged.close();
            }
        } catch (IOException e) {
            // the batch has been written
        }
        lock.close();
    }
}
