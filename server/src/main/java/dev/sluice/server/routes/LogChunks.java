package dev.sluice.server.routes;

import dev.sluice.server.api.LogView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Limits the memory of log chunks being read. As JSON a chunk may take six times as many bytes, so it is encoded while
 * it is written, and the total of chunks not yet written is bounded.
 */
final class LogChunks {

    /** Bytes of memory per byte of log: as bytes, twice, and as characters. */
    private static final int MEMORY_PER_BYTE = 4;

    private static final int KIBI = 1 << 10;
    private static final Duration RETRY = Duration.ofSeconds(2);

    private final ObjectWriter json;
    private final Semaphore left;
    private final int max;

    /**
     * Creates a limiter.
     *
     * @param bytesMax the maximum memory of all chunks being read, in bytes
     */
    LogChunks(JsonMapper json, long bytesMax) {
        this.json = json.writer().without(StreamWriteFeature.AUTO_CLOSE_TARGET);
        this.max = (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytesMax / KIBI));
        this.left = new Semaphore(max);
    }

    /** A chunk that occupies memory until it is closed. */
    private final class LogChunk implements ApiResponse.StreamBody {

        private final LogView view;
        private final int taken;
        private final AtomicBoolean closed = new AtomicBoolean();

        LogChunk(LogView view, int taken) {
            this.view = view;
            this.taken = taken;
        }

        @Override
        public String type() {
            return "application/json";
        }

        @Override
        public void write(OutputStream out) throws IOException {
            try {
                json.writeValue(out, view);
            } catch (JacksonException e) {
                for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                    if (cause instanceof IOException gone) {
                        throw new IOException(gone.getMessage(), e);
                    }
                }
                throw e;
            }
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                left.release(taken);
            }
        }
    }

    /**
     * Returns the response with a chunk of a log, or null if there is no log.
     *
     * @param bytesMax the maximum size of the chunk, in bytes
     * @throws ProblemException if too many chunks are being read
     */
    @Nullable ApiResponse answer(long bytesMax, Supplier<@Nullable LogView> part) {
        int taken = (int) Math.min(max, 1 + MEMORY_PER_BYTE * bytesMax / KIBI);
        if (!left.tryAcquire(taken)) {
            throw ProblemException.retry(
                    ProblemKind.BUSY,
                    "too many log chunks are being read, retry later or use a smaller limit",
                    RETRY,
                    null);
        }
        LogChunk read = null;
        try {
            LogView view = part.get();
            read = view == null ? null : new LogChunk(view, taken);
            return read == null ? null : new ApiResponse(200, read, Map.of());
        } finally {
            if (read == null) {
                left.release(taken);
            }
        }
    }
}
