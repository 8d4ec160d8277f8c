package dev.sluice.server.store;

import dev.sluice.runtime.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that reserves disk space for the journal. When the disk is full, the file is deleted, so that a server can
 * still start and users can cancel what fills the disk; it is recreated when there is enough space again. Thread-safe.
 */
public final class Reserve implements AutoCloseable {

    /** The name of the file in the data folder. */
    static final String FILE = "reserve";

    /** Default size: 16 MiB. */
    public static final long BYTES_DEFAULT = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Reserve.class);

    /**
     * The file is only created if the free space is at least this multiple of its size: a small disk needs its space.
     */
    private static final int FREE_FACTOR = 8;

    private static final int BLOCK = 1 << 20;
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Path data;
    private final Path file;
    private final long bytes;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, step -> {
        Thread thread = new Thread(step, "reserve");
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean released;

    /** Creates the reserve of a data folder, without creating the file. */
    public Reserve(Path data, long bytes) {
        this.data = data;
        this.file = data.resolve(FILE);
        this.bytes = bytes;
    }

    /** Creates the file as soon as there is enough space. */
    public void start() {
        var unused = executor.scheduleWithFixedDelay(this::ensureExists, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Recreates the file in the background if there is enough space. */
    public void recreateAsync() {
        try {
            executor.execute(this::ensureExists);
        } catch (RejectedExecutionException closed) {
            return; // the next server recreates it
        }
    }

    /** Creates the file if it does not exist and there is enough space. */
    synchronized void ensureExists() {
        try {
            if (!Files.exists(file) && Files.getFileStore(data).getUsableSpace() >= FREE_FACTOR * bytes) {
                write();
                if (released) {
                    LOG.info("disk space available again, journal reserve recreated: file={}", file);
                }
                released = false;
            }
        } catch (IOException e) {
            boolean unused = delete(); // delete the incomplete file and retry later
        }
    }

    private void write() throws IOException {
        try (FileChannel channel = FileChannel.open(PrivateFiles.createFile(file), StandardOpenOption.WRITE)) {
            ByteBuffer block = ByteBuffer.allocate(BLOCK);
            for (long left = bytes; left > 0; left -= BLOCK) {
                block.clear().limit((int) Math.min(BLOCK, left));
                channel.write(block);
            }
        }
    }

    /** Deletes the file to free its space; returns whether it existed. */
    public synchronized boolean release() {
        if (!delete()) {
            return false;
        }
        released = true;
        LOG.error("disk full, journal reserve released: file={} bytes={}", file, bytes);
        return true;
    }

    private boolean delete() {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the problem while the reserve is released, or null. */
    public @Nullable String problem() {
        return released
                ? "the disk of " + data + " is full and no new work is accepted;"
                        + " cancel applications that fill it, or free disk space"
                : null;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
