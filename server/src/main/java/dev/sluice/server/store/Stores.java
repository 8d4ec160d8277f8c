package dev.sluice.server.store;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import java.nio.file.Path;

/** Opens journals. */
public final class Stores {

    private Stores() {}

    /**
     * Opens the journal in a folder, which is made if it is not there.
     *
     * @throws StoreException if another one has it, it is damaged, or it cannot be used; the message tells what would help
     */
    public static JournalStore open(Path folder, StoreOptions options) throws StoreException {
        return SqlStore.open(SqliteDatabase.open(folder, options, config -> {}), options);
    }

    /**
     * Opens the journal in a schema of a PostgreSQL database, which is the first one of the search path.
     *
     * @throws StoreException if another one has it, it is damaged, or it cannot be reached or used; the message tells what would help
     */
    public static JournalStore open(DatabaseAddress address, StoreOptions options) throws StoreException {
        return SqlStore.open(new PostgresDatabase(address, options), options);
    }
}
