package dev.sluice.server.store;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a store is opened.
 *
 * @param acceptLoss whether to go on where events that were acknowledged are missing at the end of the journal; else it is not opened
 * @param folder the identity of the data folder, if the tasks of the journal run from there; else null
 * @param notices takes what people should know although it works, a sentence each
 */
public record StoreOptions(boolean acceptLoss, @Nullable FolderIdentity folder, Consumer<String> notices) {

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreOptions.class);

    /** Accepts no loss, and notices go to the log. */
    public static final StoreOptions DEFAULT = new StoreOptions(false, StoreOptions::warn);

    /** For a journal without tasks of its own. */
    public StoreOptions(boolean acceptLoss, Consumer<String> notices) {
        this(acceptLoss, null, notices);
    }

    /** The same for the tasks of this folder. */
    public StoreOptions withFolder(@Nullable FolderIdentity identity) {
        return new StoreOptions(acceptLoss, identity, notices);
    }

    /** The same, but with losses accepted or not. */
    public StoreOptions withAcceptLoss(boolean accept) {
        return new StoreOptions(accept, folder, notices);
    }

    private static void warn(String notice) {
        LOGGER.warn("{}", notice);
    }
}
