package dev.sluice.runtime.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.detached.RunKey;
import dev.sluice.runtime.process.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the size of the logs of running tasks: truncates a log that exceeds the limit and appends a notice. While the
 * disk of the logs is nearly full, it also truncates the newest part of the largest log, so that one task cannot stop
 * the server from writing. Thread-safe.
 *
 * <p>Tasks write to their logs directly, so between two polls, and while no server is running, a log may exceed the
 * limit.
 */
final class LogLimiter implements AutoCloseable {

    private static final long POLL_MILLIS = 1000;

    /** Logs up to this size are never truncated because of a full disk. */
    private static final long SMALL = 1 << 20;

    /** Maximum number of logs of ended tasks that are remembered. */
    private static final int ENDED_MAX = 1000;

    /** Maximum number of bytes truncated at a time because of a full disk. */
    private static final long PIECE = 64 << 20;

    private final Path directory;
    private final long limit;
    private final LongSupplier free;
    private final long freeMin;
    private final Map<RunKey, Path> logs = new ConcurrentHashMap<>();

    /** Large logs of ended tasks, which are truncated too if the disk is full. Confined to the executor's thread. */
    private final Set<Path> endedLogs = new LinkedHashSet<>();

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, step -> {
        Thread thread = new Thread(step, "log-limiter");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Creates a limiter of the logs in this directory.
     *
     * @param limit the maximum size of one log, in bytes
     * @param free supplies the free bytes of the disk
     * @param freeMin below this number of free bytes the disk is nearly full
     */
    LogLimiter(Path directory, long limit, LongSupplier free, long freeMin) {
        this.directory = directory;
        this.limit = limit;
        this.free = free;
        this.freeMin = freeMin;
    }

    /** Starts polling. */
    void start() {
        var unused = executor.scheduleWithFixedDelay(this::poll, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Adds the log of a task that has started. */
    void watch(RunKey key, Path log) {
        logs.put(key, log);
    }

    /** Removes the log of a task that has ended. */
    void forget(RunKey key) {
        forget(key, executor);
    }

    /** Removes the log of a task that has ended; the executor runs what the thread of the polls would run. */
    void forget(RunKey key, Executor onPollThread) {
        Path log = logs.remove(key);
        if (log != null) {
            try {
                onPollThread.execute(() -> ended(log));
            } catch (RejectedExecutionException closed) {
                return; // leave the log as it is
            }
        }
    }

    /** A log that filled the disk must not keep the journal from being written after its task has ended. */
    private void ended(Path log) {
        if (limit(log) > SMALL && endedLogs.add(log) && endedLogs.size() > ENDED_MAX) {
            endedLogs.remove(endedLogs.iterator().next());
        }
    }

    /** Truncates logs that are too large. */
    void poll() {
        Path largest = null;
        long most = SMALL;
        for (Path log : logs.values()) {
            long size = limit(log);
            if (size > most) {
                largest = log;
                most = size;
            }
        }
        if (free.getAsLong() >= freeMin) {
            return;
        }
        for (Path log : endedLogs) {
            long size = size(log);
            if (size > most) {
                largest = log;
                most = size;
            }
        }
        if (largest != null) {
            truncate(largest, most - Math.min(PIECE, most / 2), "disk full; part of the output was dropped");
        }
    }

    /** Truncates a log if it exceeds the limit; returns its size afterwards, 0 if it is not a regular file. */
    private long limit(Path log) {
        long size = size(log);
        String notice = "log limit of " + limit + " bytes reached; the rest of the output was dropped";
        if (size <= limit + noticeLine(notice).length) {
            return size;
        }
        truncate(log, limit, notice);
        return size(log);
    }

    private static long size(Path log) {
        try {
            BasicFileAttributes found = Files.readAttributes(log, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile() ? found.size() : 0;
        } catch (IOException e) {
            return 0; // the log does not exist yet or cannot grow
        }
    }

    private void truncate(Path log, long size, String notice) {
        try (FileChannel channel = LogFiles.open(directory, log)) {
            channel.truncate(size);
            ByteBuffer line = ByteBuffer.wrap(noticeLine(notice));
            while (line.hasRemaining()) {
                channel.write(line, channel.size());
            }
        } catch (IOException e) {
            // retried at the next poll while the task is running
            return;
        }
    }

    private static byte[] noticeLine(String notice) {
        return ("\nsluice: " + notice + "\n").getBytes(UTF_8);
    }

    /** Stops polling; first limits the logs of the tasks that have just ended, for a while at most. */
    @Override
    public void close() {
        executor.shutdown();
        try {
            boolean unused = executor.awaitTermination(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
