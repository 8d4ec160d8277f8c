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
 * A file that keeps some space of the disk for the journal. When the disk is full it is deleted, so that a server can still start and people can cancel
 * what fills the disk; when there is plenty of space again it is made anew. For any thread.
 */
public final class Reserve implements AutoCloseable {

    /** The name of the file in the data folder. */
    static final String FILE = "reserve";

    /** How much is kept where nobody says otherwise: 16 MiB. */
    public static final long BYTES_DEFAULT = 16 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Reserve.class);

    /** With less free space than so many times its size it is not made: a small disk has better uses for it. */
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

    /** In this data folder, with so many bytes. */
    public Reserve(Path data, long bytes) {
        this.data = data;
        this.file = data.resolve(FILE);
        this.bytes = bytes;
    }

    /** Makes the file as soon as there is space for it. */
    public void start() {
        var unused = executor.scheduleWithFixedDelay(this::ensureExists, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Looks now whether there is space for the file, and makes it some time after this returns. */
    public void recreateAsync() {
        try {
            executor.execute(this::ensureExists);
        } catch (RejectedExecutionException closed) {
            return; // the next server does
        }
    }

    /** Makes the file, if it is not there and there is space. */
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
            boolean unused = delete(); // half a reserve is none; it is tried again
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

    /** Gives its space to the journal; whether there was any. */
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

    /** What is wrong while the reserve is in use, or null. */
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
