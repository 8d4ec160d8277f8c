package dev.sluice.server.store;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import java.nio.file.Path;

/** Opens journals. */
public final class Stores {

    private Stores() {}

    /**
     * Opens the journal in a folder, which is created if it does not exist.
     *
     * @throws StoreException if it is in use, damaged or unusable; the message has a remedy
     */
    public static JournalStore open(Path folder, StoreOptions options) throws StoreException {
        return SqlStore.open(SqliteDatabase.open(folder, options, config -> {}), options);
    }

    /**
     * Opens the journal in the first schema of the search path of a PostgreSQL database.
     *
     * @throws StoreException if it is in use, damaged, unreachable or unusable; the message has a remedy
     */
    public static JournalStore open(DatabaseAddress address, StoreOptions options) throws StoreException {
        return SqlStore.open(new PostgresDatabase(address, options), options);
    }
}
