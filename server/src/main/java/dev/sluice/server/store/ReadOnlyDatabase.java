package dev.sluice.server.store;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.StoreException.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/** The SQLite database of a data folder, for reading only; each connection is opened when it is needed. */
final class ReadOnlyDatabase implements Database {

    private final Path file;
    private final SQLiteDataSource readers;

    /**
     * Reads a file.
     *
     * @param isImmutable whether nothing writes the file and its write-ahead log is empty: then SQLite creates no files
     *     beside it
     */
    ReadOnlyDatabase(Path file, boolean isImmutable) {
        this.file = file;
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(5_000);
        readers = new SQLiteDataSource(config);
        readers.setUrl("jdbc:sqlite:" + file.toUri() + "?mode=ro" + (isImmutable ? "&immutable=1" : ""));
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
    public Connection connect(boolean again) throws StoreException {
        throw new StoreException(Kind.UNUSABLE, name() + " is open for reading only");
    }

    @Override
    public DataSource readers() {
        return readers;
    }

    @Override
    public DataSource migrators() {
        return readers;
    }

    @Override
    public Kind kindOf(SQLException error) {
        SQLiteErrorCode code = SqliteDatabase.code(error);
        if (code == null) {
            return Kind.UNAVAILABLE;
        }
        return switch (SQLiteErrorCode.getErrorCode(code.code & 0xff)) {
            case SQLITE_BUSY, SQLITE_LOCKED -> Kind.UNAVAILABLE;
            case SQLITE_FULL -> Kind.FULL;
            case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH -> Kind.UNUSABLE;
            default -> Kind.DAMAGED;
        };
    }

    @Override
    public boolean isUsableAfter(SQLException error) {
        return false;
    }

    @Override
    public void requireNotTruncated(long last) {}

    @Override
    public void committed(long last) {}

    @Override
    public void close() {}
}
