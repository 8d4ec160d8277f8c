package dev.sluice.runtime.machine;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** A process: its memory counts pages that it shares with others in full. */
    private record Row(long pid, long parent, long session, long threads, long memory) {}

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
    }

    private long proportional(Row row) {
        try (Stream<String> lines = Files.lines(proc.resolve(row.pid() + "/smaps_rollup"), ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("Pss:"))
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
                            Long.parseLong(fields[21]) * page);
        } catch (IOException | NumberFormatException ended) {
            return null;
        }
    }
}
