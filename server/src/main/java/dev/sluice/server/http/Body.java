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
 * Gathers what is sent with a request, as it comes, without a thread that waits for it. How much it is need not be known before; what is
 * too much is read on for a while, since who still sends does not read the answer, and dropped.
 */
final class Body implements Invocable.Task {

    /** So much of what is too large is read nevertheless. */
    private static final long DISCARDED_MAX = 64 << 20;

    /** Room for so much is made at once where it is announced; more only as it comes, since to announce is cheap. */
    private static final int FIRST_SIZE = 16 << 10;

    private final Request request;
    private final BodyBudget room;
    private final long max;
    private final long told;
    private final Consumer<byte[]> then;
    private final Consumer<ProblemException> orElse;
    private byte[] bytes;
    private long taken;
    private int size;
    private long seen;

    private Body(Request request, BodyBudget room, Consumer<byte[]> then, Consumer<ProblemException> orElse) {
        this.request = request;
        this.room = room;
        this.max = room.perRequestMax();
        this.told = request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        this.then = then;
        this.orElse = orElse;
        this.bytes = new byte[(int) Math.min(told < 0 ? 1024 : told, FIRST_SIZE)];
    }

    /**
     * Reads all of it, and goes on with it or with what is wrong, on whichever thread the end of it comes.
     *
     * @param room for all that is sent, which is given back when the request is answered
     */
    static void read(Request request, BodyBudget room, Consumer<byte[]> then, Consumer<ProblemException> orElse) {
        Body body = new Body(request, room, then, orElse);
        if (body.told > body.max && request.getHeaders().contains(HttpHeader.EXPECT)) {
            // who asks before it sends is told before: nothing is read, or Jetty would let it send
            orElse.accept(body.tooLarge());
            return;
        }
        Request.addCompletionListener(request, failure -> room.release(body.taken));
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
            boolean fits = take(chunk);
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

    /** Takes what has come; returns whether there is room for it. */
    private boolean take(Content.Chunk chunk) {
        int more = chunk.remaining();
        seen += more;
        if (seen > max) {
            return true;
        }
        if (size + more > bytes.length) {
            long wanted = Math.min(max, Math.max(size + more, 2L * bytes.length));
            long growth = wanted - bytes.length;
            if (!room.tryAcquire(growth)) {
                return false;
            }
            taken += growth;
            bytes = Arrays.copyOf(bytes, (int) wanted);
        }
        chunk.get(bytes, size, more);
        size += more;
        return true;
    }
}
