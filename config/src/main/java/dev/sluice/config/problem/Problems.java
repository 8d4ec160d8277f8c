package dev.sluice.config.problem;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the problems and warnings of a file, in any order, and keeps the first {@link #KEPT_MAX} of each in the
 * order of the file.
 *
 * <p>Paths and messages are computed at the end, only for those that are kept: a file with a million errors costs no
 * more than reading it.
 */
public final class Problems {

    /** The maximum number of problems, and of warnings, that are listed. */
    public static final int KEPT_MAX = 100;

    private final String file;
    private final Kept errors = new Kept();
    private final Kept warnings = new Kept();

    /** Creates an empty collection for the file of this name. */
    public Problems(String file) {
        this.file = file;
    }

    /** Adds a problem. */
    public void error(int line, int column, Supplier<String> path, Supplier<String> message) {
        errors.add(line, column, path, message);
    }

    /** Adds a problem of the file as a whole, or without a known path. */
    public void error(int line, int column, String message) {
        error(line, column, () -> "", () -> message);
    }

    /** Adds a warning. */
    public void warning(int line, int column, Supplier<String> path, Supplier<String> message) {
        warnings.add(line, column, path, message);
    }

    /** Returns the number of problems so far, without warnings. */
    public int count() {
        return errors.count;
    }

    /** Returns the result: this value if there are no problems. */
    public <T> ParseResult<T> result(@Nullable T value) {
        if (errors.count == 0 && value == null) {
            throw new IllegalStateException("no value and no problem for " + file + "");
        }
        List<Problem> listed = errors.inOrder(file);
        return new ParseResult<>(
                listed.isEmpty() ? value : null, listed, errors.count - listed.size(), warnings.inOrder(file));
    }

    /** The first entries in the order of the file; at the same place in the order of insertion. */
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
            if (count == 0) {
                return List.of();
            }
            List<Entry> entries = new ArrayList<>(last);
            entries.sort(FILE_ORDER);
            return entries.stream()
                    .map(e -> new Problem(file, e.line, e.column, visible(e.path.get()), visible(e.message.get())))
                    .toList();
        }
    }

    /** Returns the text with control characters escaped, so that it is a single line. */
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
