package dev.sluice.server.http;

import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads a request body asynchronously, without blocking a thread. Its length need not be known in advance. A body that
 * is too large is read and discarded up to a limit, because a client that is still sending does not read the response.
 */
final class Body implements Invocable.Task {

    /** Maximum number of bytes read and discarded of a body that is too large. */
    private static final long DISCARDED_MAX = 64 << 20;

    /** Maximum initial size of the buffer; it grows only as data arrives, because a client can announce any length. */
    private static final int FIRST_SIZE = 16 << 10;

    private final Request request;
    private final BodyBudget budget;
    private final long max;
    private final long told;
    private final Consumer<byte[]> then;
    private final Consumer<ProblemException> orElse;
    private byte[] bytes;
    private long acquired;
    private int size;
    private long seen;

    private Body(Request request, BodyBudget budget, Consumer<byte[]> then, Consumer<ProblemException> orElse) {
        this.request = request;
        this.budget = budget;
        this.max = budget.perRequestMax();
        this.told = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        this.then = then;
        this.orElse = orElse;
        this.bytes = new byte[(int) Math.min(told < 0 ? 1024 : told, FIRST_SIZE)];
    }

    /**
     * Reads the whole body, then calls {@code then} with it or {@code orElse} with the problem, on the thread that
     * delivers its end.
     *
     * @param budget the budget for bodies, released when the request has been answered
     */
    static void read(Request request, BodyBudget budget, Consumer<byte[]> then, Consumer<ProblemException> orElse) {
        Body body = new Body(request, budget, then, orElse);
        if (body.told > body.max && request.getHeaders().contains(HttpHeader.EXPECT)) {
            // a client that sends Expect gets the problem before it sends: reading would make Jetty send 100 Continue
            orElse.accept(body.tooLarge());
            return;
        }
        Request.addCompletionListener(request, failure -> budget.release(body.acquired));
        body.run();
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                orElse.accept(ProblemException.of(
                        ProblemKind.MALFORMED,
                        "incomplete request body: " + chunk.getFailure().getMessage()));
                return;
            }
            boolean fits = append(chunk);
            boolean last = chunk.isLast();
            chunk.release();
            if (!fits) {
                orElse.accept(ProblemException.retry(
                        ProblemKind.BUSY,
                        "too many request bytes in flight, retry later",
                        Duration.ofSeconds(1),
                        null));
                return;
            }
            if (seen > max && (last || seen >= (told < 0 ? max : Math.min(told, DISCARDED_MAX)))) {
                orElse.accept(tooLarge());
                return;
            }
            if (last) {
                then.accept(size == bytes.length ? bytes : Arrays.copyOf(bytes, size));
                return;
            }
        }
    }

    private ProblemException tooLarge() {
        return ProblemException.of(ProblemKind.TOO_LARGE, "request body exceeds " + max + " bytes, split the request");
    }

    /** Appends a chunk; returns false if it exceeds the budget. */
    private boolean append(Content.Chunk chunk) {
        int more = chunk.remaining();
        seen += more;
        if (seen > max) {
            return true;
        }
        if (size + more > bytes.length) {
            long capacity = Math.min(max, Math.max(size + more, 2L * bytes.length));
            long growth = capacity - bytes.length;
            if (!budget.tryAcquire(growth)) {
                return false;
            }
            acquired += growth;
            bytes = Arrays.copyOf(bytes, (int) capacity);
        }
        chunk.get(bytes, size, more);
        size += more;
        return true;
    }
}
