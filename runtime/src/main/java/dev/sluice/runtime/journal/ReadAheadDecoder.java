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
 * Gives the batches of a journal in order, each decoded already where time allowed it: one thread reads, others decode. How far they are
 * ahead is bounded by the bytes of the batches, so replaying takes little memory beside the state.
 *
 * <p>Small batches go from thread to thread in parcels.
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

    /** Some batches on their way, and how much of the room they take; the last parcel has none. */
    private record DecodedChunk(Future<List<DecodedBatch>> batches, int weight, boolean isLast) {}

    /**
     * Begins to read.
     *
     * @param after the sequence number of the last event that is not wanted
     * @param threads how many threads decode
     */
    ReadAheadDecoder(JournalStore store, long after, int threads) {
        decoding = Executors.newFixedThreadPool(threads, work -> daemon(work, "journal-decoder"));
        reading = daemon(() -> read(store, after), "journal-reader");
        reading.start();
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** The next batch, or null if there are no more. */
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
                throw new StoreException(StoreException.Kind.UNAVAILABLE, "reading the journal was interrupted", e);
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
        throw new IllegalStateException("the journal was not read to its end", cause);
    }

    /** Reads all batches and hands them on in parcels; a failure comes after what was read before it. */
    private void read(JournalStore store, long after) {
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

    /** The parcel that is being filled. */
    private final class ChunkBuilder {
        private List<StoredBatch> batches = new ArrayList<>();
        private int bytes;

        /** Returns whether more are wanted. */
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

    /** Ends the threads, whatever they have not done yet. */
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
