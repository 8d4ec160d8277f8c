package dev.sluice.runtime.journal;

import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An order of ended applications. Of those with the same key, the last ended one is first.
 *
 * @param reversed whether everything is in the opposite order
 * @param after only applications after this one in the order, or null; it need not exist any more
 */
public record FinishedOrder(
        Key key, boolean reversed, @Nullable FinishedApplication after) {

    /** The usual order, with all applications. */
    public static final FinishedOrder LAST_ENDED = new FinishedOrder(Key.ENDED, false, null);

    /** By what applications are ordered. */
    public enum Key {
        /** Last ended first. */
        ENDED,

        /** Last submitted first. */
        SUBMITTED,

        /** Longest first, from the submission to the end. */
        DURATION,

        /** By the paths of queues, character by character. */
        QUEUE,

        /** By the names of users, character by character. */
        USER;

        private Comparator<FinishedApplication> comparator() {
            return switch (this) {
                case ENDED ->
                    Comparator.comparingLong(FinishedApplication::sequence).reversed();
                case SUBMITTED ->
                    Comparator.comparing(FinishedApplication::submitted).reversed();
                case DURATION ->
                    Comparator.comparing((FinishedApplication each) -> Duration.between(each.submitted(), each.ended()))
                            .reversed();
                case QUEUE -> Comparator.comparing(FinishedApplication::queue);
                case USER -> Comparator.comparing(FinishedApplication::user);
            };
        }

        /** Returns the name in requests and on the command line. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns whether large keys come first. */
        public boolean isDescending() {
            return this != QUEUE && this != USER;
        }
    }

    /** Returns the comparison of applications in this order. */
    public Comparator<FinishedApplication> comparator() {
        Comparator<FinishedApplication> usual = key.comparator().thenComparing(Key.ENDED.comparator());
        return reversed ? usual.reversed() : usual;
    }
}
