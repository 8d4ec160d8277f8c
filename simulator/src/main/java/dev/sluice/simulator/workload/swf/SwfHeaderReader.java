package dev.sluice.simulator.workload.swf;

import dev.sluice.config.field.Field;
import dev.sluice.config.problem.Problems;
import dev.sluice.simulator.workload.lines.LineReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the comments before the first job of a log: lines such as {@code ; MaxProcs: 128} and
 * {@code ; Partition: 3 north}.
 *
 * <p>Unknown fields are ignored: most of a header is for people. A value that should be a number and is not causes a
 * warning and is ignored. The first job determines whether there are more columns than the format defines.
 */
final class SwfHeaderReader {

    /** The maximum number of partitions, and of queues, with names. */
    static final int NAMES_MAX = 100_000;

    /** The maximum number of processors of a machine. */
    static final long PROCESSORS_MAX = 1_000_000_000;

    private static final int QUEUE_NAME_LENGTH_MAX = 64;
    private static final long START_MAX = Instant.parse("9000-01-01T00:00:00Z").getEpochSecond();

    private final Problems problems;
    private final NamesByNumber partitions = new NamesByNumber("partition");
    private final NamesByNumber queues = new NamesByNumber("queue");
    private Instant start = Instant.EPOCH;
    private long maxProcs;
    private long maxNodes;
    private @Nullable String timeZone;
    private boolean wide;

    SwfHeaderReader(Problems problems) {
        this.problems = problems;
    }

    /** Reads up to the first line that is not a comment. */
    SwfHeader read(LineReader lines) throws IOException {
        while (lines.next()) {
            String line = new String(lines.bytes(), lines.start(), lines.end() - lines.start(), StandardCharsets.UTF_8)
                    .strip();
            if (line.startsWith(";")) {
                comment(line, (int) lines.number());
            } else if (!line.isEmpty()) {
                wide = isWide(lines);
                break;
            }
        }
        return new SwfHeader(
                start, maxProcs > 0 ? maxProcs : maxNodes, timeZone, partitions.byNumber, queues.byNumber, wide);
    }

    /** Whether this line, the first job, has more columns than the format defines; warns if so. */
    private boolean isWide(LineReader lines) {
        if (lines.isTooLong() || new SwfLine().split(lines.bytes(), lines.start(), lines.end()) <= SwfLine.COLUMNS) {
            return false;
        }
        problems.warning(
                (int) lines.number(),
                1,
                () -> "",
                () -> "jobs have more than " + SwfLine.COLUMNS + " columns: ignoring the others");
        return true;
    }

    private void comment(String line, int number) {
        int colon = line.indexOf(':');
        if (colon < 0) {
            return;
        }
        String key = line.substring(1, colon).strip().toLowerCase(Locale.ROOT);
        String value = line.substring(colon + 1).strip();
        switch (key) {
            case "unixstarttime" -> start = Instant.ofEpochSecond(whole(key, value, START_MAX, number));
            case "maxprocs" -> maxProcs = whole(key, value, PROCESSORS_MAX, number);
            case "maxnodes" -> maxNodes = whole(key, value, PROCESSORS_MAX, number);
            case "timezonestring" -> timeZone = value.isEmpty() ? null : value;
            case "partition" -> partitions.add(value);
            case "queue" -> queues.add(value);
            default -> {}
        }
    }

    /**
     * Returns the number at the beginning of the value, which a remark may follow; 0, with a warning, if there is none.
     */
    private long whole(String key, String value, long max, int line) {
        int end = 0;
        while (end < value.length() && value.charAt(end) >= '0' && value.charAt(end) <= '9') {
            end++;
        }
        boolean ends = end == value.length() || !Character.isLetterOrDigit(value.charAt(end));
        if (end > 0 && end <= 18 && ends) {
            long number = Long.parseLong(value.substring(0, end));
            if (number <= max) {
                return number;
            }
        }
        if (!value.startsWith("-1")) {
            problems.warning(
                    line,
                    1,
                    () -> "",
                    () -> "ignoring header field " + key + ": " + Field.quoted(value) + " is not an integer from 0 to "
                            + max);
        }
        return 0;
    }

    /** The names of partitions or queues, converted to valid queue names. */
    private static final class NamesByNumber {

        private final String kind;
        private final Map<Long, String> byNumber = new LinkedHashMap<>();
        private final Set<String> taken = new LinkedHashSet<>();

        NamesByNumber(String kind) {
            this.kind = kind;
        }

        /** Parses a number, blanks and a name; the rest is a remark. */
        void add(String value) {
            String[] words = value.split("\\s+", 3);
            if (words.length < 2
                    || byNumber.size() >= NAMES_MAX
                    || words[0].length() > 18
                    || !words[0].chars().allMatch(c -> c >= '0' && c <= '9')
                    || words[0].isEmpty()) {
                return;
            }
            String name = safe(words[1]);
            long number = Long.parseLong(words[0]);
            if (!name.isEmpty() && !byNumber.containsKey(number) && taken.add(name.toLowerCase(Locale.ROOT))) {
                byNumber.put(number, name);
            }
        }

        /**
         * Replaces all characters that a queue name cannot have; returns an empty text if the result looks like a
         * generated name.
         */
        private String safe(String name) {
            String safe = name.replaceAll("[^a-zA-Z0-9_:#/@-]", "_");
            String fitting = safe.length() > QUEUE_NAME_LENGTH_MAX ? safe.substring(0, QUEUE_NAME_LENGTH_MAX) : safe;
            return fitting.toLowerCase(Locale.ROOT).matches(kind + "[0-9]+") ? "" : fitting;
        }
    }
}
