package dev.sluice.runtime.machine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.runtime.executor.MeasuredUse;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of sessions use, from Linux's {@code /proc}. A session includes the descendants of its processes,
 * even if they lead sessions of their own, as long as their ancestors are alive.
 */
public final class ProcessUsage {

    private static final long PAGE_DEFAULT = 4096;

    /** The unit of processor time in {@code /proc}: USER_HZ of Linux is 100. */
    private static final long TICK_MILLIS = 10;

    private final Path proc;
    private final long page;

    private ProcessUsage(Path proc, long page) {
        this.proc = proc;
        this.page = page;
    }

    /** Returns the usage in this {@code /proc}, or null if there is none. */
    static @Nullable ProcessUsage of(Path proc) {
        return Files.isReadable(proc.resolve("self/stat")) ? new ProcessUsage(proc, pageSize(proc)) : null;
    }

    private static long pageSize(Path proc) {
        try (Stream<String> lines = Files.lines(proc.resolve("self/smaps"), ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("KernelPageSize:"))
                    .findFirst()
                    .map(ProcessUsage::bytes)
                    .orElse(PAGE_DEFAULT);
        } catch (IOException | NumberFormatException e) {
            return PAGE_DEFAULT;
        }
    }

    /** Returns the amount in a line such as {@code Pss: 12 kB}. */
    private static long bytes(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
    }

    /**
     * A process: its memory counts pages that it shares with others in full.
     *
     * @param ticks the processor time that it and its ended descendants have taken, in ticks
     */
    private record Row(long pid, long parent, long session, long threads, long memory, long ticks) {}

    /** The processes of one session. */
    public final class Session {
        private final List<Row> rows = new ArrayList<>();

        /** Returns the number of processes and threads. */
        public long processes() {
            return rows.stream().mapToLong(Row::threads).sum();
        }

        /**
         * Returns the memory in bytes. Shared pages are counted once, by parts, but only if the sum of all would exceed
         * the limit: that takes much longer.
         */
        public long memory(long limit) {
            long sum = rows.stream().mapToLong(Row::memory).sum();
            return sum <= limit
                    ? sum
                    : rows.stream().mapToLong(ProcessUsage.this::proportional).sum();
        }

        /**
         * Returns what the session uses and has used, as far as its live processes show it. The peak is that of the
         * sum now or, if that is more, that of the process with the highest one since it started.
         */
        public MeasuredUse measured() {
            long ticks = rows.stream().mapToLong(Row::ticks).sum();
            long memory = memory(Long.MAX_VALUE);
            long peak = rows.stream()
                    .mapToLong(row -> bytes(row, "status", "VmHWM:"))
                    .max()
                    .orElse(0);
            return new MeasuredUse(Duration.ofMillis(ticks * TICK_MILLIS), memory, Math.max(memory, peak));
        }
    }

    private long proportional(Row row) {
        return bytes(row, "smaps_rollup", "Pss:");
    }

    /** Returns an amount of memory from a file of a process; its memory if there is none, 0 if it has ended. */
    private long bytes(Row row, String file, String name) {
        try (Stream<String> lines = Files.lines(proc.resolve(row.pid() + "/" + file), ISO_8859_1)) {
            return lines.filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(ProcessUsage::bytes)
                    .orElse(row.memory());
        } catch (IOException | NumberFormatException goneOrDenied) {
            return Files.exists(proc.resolve(Long.toString(row.pid()))) ? row.memory() : 0;
        }
    }

    /** Returns the usage of these sessions; those without processes are left out. */
    public Map<Long, Session> of(Set<Long> sessions) {
        Map<Long, Row> rows = new LinkedHashMap<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                Row row = row(process);
                if (row != null) {
                    rows.put(row.pid(), row);
                }
            }
        } catch (IOException e) {
            return Map.of();
        }
        Map<Long, Session> usage = new LinkedHashMap<>();
        Map<Long, Long> known = new HashMap<>();
        for (Row row : rows.values()) {
            long session = sessionOf(row, sessions, rows, known);
            if (session != 0) {
                usage.computeIfAbsent(session, id -> new Session()).rows.add(row);
            }
        }
        return usage;
    }

    /** Returns the session in which a process counts, or 0. */
    private static long sessionOf(Row row, Set<Long> sessions, Map<Long, Row> rows, Map<Long, Long> known) {
        Long earlier = known.get(row.pid());
        if (earlier != null) {
            return earlier;
        }
        known.put(row.pid(), 0L); // ends the search if ids were reused in the meantime
        Row parent = rows.get(row.parent());
        long session = sessions.contains(row.session())
                ? row.session()
                : parent == null ? 0 : sessionOf(parent, sessions, rows, known);
        known.put(row.pid(), session);
        return session;
    }

    private static long sum(String[] fields, int from, int to) {
        return Arrays.stream(fields, from, to).mapToLong(Long::parseLong).sum();
    }

    /** Parses {@code pid (name) state parent group session …}; the name may contain blanks and parentheses. */
    private @Nullable Row row(Path process) {
        try {
            String stat = new String(Files.readAllBytes(process.resolve("stat")), ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", 23);
            return fields.length < 22
                    ? null
                    : new Row(
                            Long.parseLong(process.getFileName().toString()),
                            Long.parseLong(fields[1]),
                            Long.parseLong(fields[3]),
                            Long.parseLong(fields[17]),
                            Long.parseLong(fields[21]) * page,
                            sum(fields, 11, 15));
        } catch (IOException | NumberFormatException ended) {
            return null;
        }
    }
}
