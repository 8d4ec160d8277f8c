package dev.sluice.runtime.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Returns the batches of a journal in order, decoding ahead: one thread reads, others decode. The read-ahead is bounded
 * by the size of the batches, so a replay needs little memory besides the state.
 *
 * <p>Small batches are passed between threads in chunks.
 */
final class ReadAheadDecoder implements AutoCloseable {

    private static final int CHUNK_BYTES_TARGET = 1 << 18;
    private static final int CHUNK_BATCHES_MAX = 4096;
    private static final int AHEAD_BYTES = 1 << 23;
    private static final long TIMEOUT_MILLIS = 50;

    private final Semaphore permits = new Semaphore(AHEAD_BYTES);
    private final BlockingQueue<DecodedChunk> chunks = new LinkedBlockingQueue<>();
    private final Queue<BatchDecoder> idleDecoders = new ConcurrentLinkedQueue<>();
    private final Deque<DecodedBatch> opened = new ArrayDeque<>();
    private final ExecutorService decoding;
    private final Thread reading;
    private int openedWeight;
    private volatile boolean closed;

    /** Some batches being decoded, and their weight in the read-ahead limit; the last chunk is empty. */
    private record DecodedChunk(Future<List<DecodedBatch>> batches, int weight, boolean isLast) {}

    /**
     * Starts reading.
     *
     * @param after the sequence number before the first wanted event
     * @param threads the number of decoding threads
     */
    ReadAheadDecoder(JournalReader store, long after, int threads) {
        decoding = Executors.newFixedThreadPool(threads, work -> daemon(work, "journal-decoder"));
        reading = daemon(() -> read(store, after), "journal-reader");
        reading.start();
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the next batch, or null at the end. */
    @Nullable DecodedBatch next() throws StoreException {
        while (opened.isEmpty()) {
            permits.release(openedWeight);
            openedWeight = 0;
            try {
                DecodedChunk chunk = chunks.take();
                opened.addAll(chunk.batches.get());
                openedWeight = chunk.weight;
                if (chunk.isLast) {
                    chunks.add(chunk);
                    return opened.poll();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted while reading the journal", e);
            } catch (ExecutionException e) {
                throw failure(e.getCause());
            }
        }
        return opened.poll();
    }

    private static StoreException failure(@Nullable Throwable cause) {
        if (cause instanceof StoreException failure) {
            return failure;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException("failed to read the journal", cause);
    }

    /** Reads all batches and queues them in chunks; a failure is queued after the batches read before it. */
    private void read(JournalReader store, long after) {
        ChunkBuilder builder = new ChunkBuilder();
        CompletableFuture<List<DecodedBatch>> end = new CompletableFuture<>();
        try {
            store.read(after, builder::add);
            builder.send();
            end.complete(List.of());
        } catch (StoreException | RuntimeException | Error e) {
            builder.send();
            end.completeExceptionally(e);
        }
        chunks.add(new DecodedChunk(end, 0, true));
    }

    /** The chunk being filled. */
    private final class ChunkBuilder {
        private List<StoredBatch> batches = new ArrayList<>();
        private int bytes;

        /** Returns whether to continue reading. */
        boolean add(StoredBatch batch) {
            batches.add(batch);
            bytes = (int) Math.min(AHEAD_BYTES, (long) bytes + batch.body().length);
            if (bytes >= CHUNK_BYTES_TARGET || batches.size() >= CHUNK_BATCHES_MAX) {
                send();
            }
            return !closed;
        }

        void send() {
            if (batches.isEmpty() || !awaitCapacity()) {
                return;
            }
            List<StoredBatch> packed = batches;
            chunks.add(new DecodedChunk(decoding.submit(() -> decode(packed)), bytes, false));
            batches = new ArrayList<>();
            bytes = 0;
        }

        private boolean awaitCapacity() {
            try {
                while (!closed) {
                    if (permits.tryAcquire(bytes, TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                        return true;
                    }
                }
            } catch (InterruptedException e) {
                closed = true;
            }
            return false;
        }
    }

    private List<DecodedBatch> decode(List<StoredBatch> batches) throws StoreException {
        BatchDecoder idle = idleDecoders.poll();
        BatchDecoder decoder = idle == null ? new BatchDecoder() : idle;
        List<DecodedBatch> decoded = new ArrayList<>(batches.size());
        for (StoredBatch batch : batches) {
            if (closed) {
                break;
            }
            decoded.add(DecodedBatch.of(batch, decoder));
        }
        idleDecoders.add(decoder);
        return decoded;
    }

    /** Stops the threads, even if they have not finished. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        while (reading.isAlive()) {
            try {
                reading.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        decoding.shutdownNow();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
