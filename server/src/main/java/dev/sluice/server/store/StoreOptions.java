package dev.sluice.server.store;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Options for opening a store.
 *
 * @param acceptLoss whether to open a journal that lacks acknowledged events at its end; otherwise opening fails
 * @param folder the identity of the data folder if the journal's tasks run from it; otherwise null
 * @param takeOver whether to end the access of another server to a database; otherwise opening fails while it lasts
 * @param notices receives warnings, one sentence each
 */
public record StoreOptions(
        boolean acceptLoss, @Nullable FolderIdentity folder, boolean takeOver, Consumer<String> notices) {

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreOptions.class);

    /** Accepts no loss and logs notices. */
    public static final StoreOptions DEFAULT = new StoreOptions(false, StoreOptions::warn);

    /** Options of a journal without local tasks. */
    public StoreOptions(boolean acceptLoss, Consumer<String> notices) {
        this(acceptLoss, null, false, notices);
    }

    /** Returns a copy with this folder identity. */
    public StoreOptions withFolder(@Nullable FolderIdentity identity) {
        return new StoreOptions(acceptLoss, identity, takeOver, notices);
    }

    /** Returns a copy with another value of {@code acceptLoss}. */
    public StoreOptions withAcceptLoss(boolean accept) {
        return new StoreOptions(accept, folder, takeOver, notices);
    }

    /** Returns a copy with another value of {@code takeOver}. */
    public StoreOptions withTakeOver(boolean newTakeOver) {
        return new StoreOptions(acceptLoss, folder, newTakeOver, notices);
    }

    private static void warn(String notice) {
        LOGGER.warn("{}", notice);
    }
}
