package dev.sluice.config.problem;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is found wrong in one file, in any order, and keeps the first {@link #KEPT_MAX} in the order of the file.
 *
 * <p>Paths and messages are worked out at the end, for what is kept alone: a file with a million mistakes costs no more than
 * its reading.
 */
public final class Problems {

    /** The most problems, and the most warnings, that are reported one by one. */
    public static final int KEPT_MAX = 100;

    private final String file;
    private final Kept errors = new Kept();
    private final Kept warnings = new Kept();

    /** Collects for the file of this name. */
    public Problems(String file) {
        this.file = file;
    }

    /** Notes what stands in the way of a value. */
    public void error(int line, int column, Supplier<String> path, Supplier<String> message) {
        errors.add(line, column, path, message);
    }

    /** Notes what stands in the way of a value, about the file as a whole or where no path is known. */
    public void error(int line, int column, String message) {
        error(line, column, () -> "", () -> message);
    }

    /** Notes what looks wrong. */
    public void warning(int line, int column, Supplier<String> path, Supplier<String> message) {
        warnings.add(line, column, path, message);
    }

    /** How many problems were noted so far, warnings aside. */
    public int count() {
        return errors.count;
    }

    /** The outcome: this value if nothing stood in its way. */
    public <T> ParseResult<T> result(@Nullable T value) {
        if (errors.count == 0 && value == null) {
            throw new IllegalStateException("nothing was read from " + file + ", and no problem was noted");
        }
        List<Problem> listed = errors.inOrder(file);
        return new ParseResult<>(
                listed.isEmpty() ? value : null, listed, errors.count - listed.size(), warnings.inOrder(file));
    }

    /** The first entries in the order of the file; among those of one place, in the order they came. */
    private static final class Kept {

        private static final Comparator<Entry> FILE_ORDER = Comparator.comparingInt(Entry::line)
                .thenComparingInt(Entry::column)
                .thenComparingInt(Entry::sequence);

        private final PriorityQueue<Entry> last = new PriorityQueue<>(FILE_ORDER.reversed());
        private int count;

        void add(int line, int column, Supplier<String> path, Supplier<String> message) {
            last.add(new Entry(line, column, count, path, message));
            count++;
            if (last.size() > KEPT_MAX) {
                last.remove();
            }
        }

        List<Problem> inOrder(String file) {
            List<Entry> entries = new ArrayList<>(last);
            entries.sort(FILE_ORDER);
            return entries.stream()
                    .map(e -> new Problem(file, e.line, e.column, visible(e.path.get()), visible(e.message.get())))
                    .toList();
        }
    }

    /** The text with control characters made visible, so that it is one line wherever it is shown. */
    private static String visible(String text) {
        if (text.chars().noneMatch(Problems::isInvisible)) {
            return text;
        }
        StringBuilder visible = new StringBuilder();
        text.chars().forEach(c -> {
            if (isInvisible(c)) {
                visible.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                visible.append((char) c);
            }
        });
        return visible.toString();
    }

    private static boolean isInvisible(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
    }

    private record Entry(int line, int column, int sequence, Supplier<String> path, Supplier<String> message) {}
}
