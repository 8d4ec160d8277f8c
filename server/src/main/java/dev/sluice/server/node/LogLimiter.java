package dev.sluice.server.node;

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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps the logs of running tasks within a limit: what a task writes beyond it is cut off, and a line says so. While the disk of the logs is nearly full, the
 * newest part of the largest log is cut off as well, so that one task cannot keep the server from writing. For any thread.
 *
 * <p>A task writes to its log itself and notices nothing, so between two looks, and while no server runs, a log may exceed the limit.
 */
final class LogLimiter implements AutoCloseable {

    private static final long POLL_MILLIS = 1000;

    /** Logs that are no larger are left alone even when the disk is full. */
    private static final long SMALL = 1 << 20;

    /** At most so much is cut off at once when the disk is full. */
    private static final long PIECE = 64 << 20;

    private final Path directory;
    private final long limit;
    private final LongSupplier free;
    private final long freeMin;
    private final Map<RunKey, Path> logs = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, step -> {
        Thread thread = new Thread(step, "log-limiter");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * Of logs below this directory.
     *
     * @param limit the most bytes of one log
     * @param free tells how many bytes are free on its disk
     * @param freeMin with fewer bytes free the disk is nearly full
     */
    LogLimiter(Path directory, long limit, LongSupplier free, long freeMin) {
        this.directory = directory;
        this.limit = limit;
        this.free = free;
        this.freeMin = freeMin;
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Looks from now on at regular intervals. */
    void start() {
        var unused = executor.scheduleWithFixedDelay(this::poll, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A task writes to this log from now on. */
    void watch(RunKey key, Path log) {
        logs.put(key, log);
    }

    /** It does so no more. */
    void forget(RunKey key) {
        Path log = logs.remove(key);
        if (log != null) {
            try {
                executor.execute(() -> limit(log));
            } catch (RejectedExecutionException closed) {
                return; // the log stays as it is
            }
        }
    }

    /** Cuts what is too large. */
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
        if (largest != null && free.getAsLong() < freeMin) {
            cut(largest, most - Math.min(PIECE, most / 2), "disk full; part of the output was dropped");
        }
    }

    /** Cuts a log if it is too large; its size afterwards, 0 where it is no file. */
    private long limit(Path log) {
        long size = size(log);
        String notice = "log limit of " + limit + " bytes reached; the rest of the output was dropped";
        if (size <= limit + line(notice).length) {
            return size;
        }
        cut(log, limit, notice);
        return size(log);
    }

    private static long size(Path log) {
        try {
            BasicFileAttributes found = Files.readAttributes(log, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile() ? found.size() : 0;
        } catch (IOException e) {
            return 0; // not there yet, or in no state to grow
        }
    }

    private void cut(Path log, long size, String notice) {
        try (FileChannel channel = LogFiles.open(directory, log)) {
            channel.truncate(size);
            ByteBuffer line = ByteBuffer.wrap(line(notice));
            while (line.hasRemaining()) {
                channel.write(line, channel.size());
            }
        } catch (IOException e) {
            // It is tried again at the next look, while the task runs.
            return;
        }
    }

    private static byte[] line(String notice) {
        return ("\nsluice: " + notice + "\n").getBytes(UTF_8);
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
