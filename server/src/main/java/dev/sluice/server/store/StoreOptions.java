package dev.sluice.server.store;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a store is opened.
 *
 * @param acceptLoss whether to go on where events that were acknowledged are missing at the end of the journal; else it is not opened
 * @param notices takes what people should know although it works, a sentence each
 */
public record StoreOptions(boolean acceptLoss, Consumer<String> notices) {

    private static final Logger LOGGER = LoggerFactory.getLogger(StoreOptions.class);

    /** Accepts no loss, and notices go to the log. */
    public static final StoreOptions DEFAULT = new StoreOptions(false, StoreOptions::warn);

    /** The same, but with losses accepted or not. */
    public StoreOptions withAcceptLoss(boolean accept) {
        return new StoreOptions(accept, notices);
    }

    private static void warn(String notice) {
        LOGGER.warn("{}", notice);
    }
}
