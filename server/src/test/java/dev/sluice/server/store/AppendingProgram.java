package dev.sluice.server.store;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import java.nio.file.Path;

/** Appends to the store in a folder until it is killed; prints the last event after every acknowledged batch. */
final class AppendingProgram {

    private AppendingProgram() {}

    public static void main(String[] arguments) throws StoreException {
        try (JournalStore store = Stores.open(Path.of(arguments[0]), StoreOptions.DEFAULT)) {
            while (true) {
                System.out.println(Batches.append(store, 1));
                System.out.flush();
            }
        }
    }
}
