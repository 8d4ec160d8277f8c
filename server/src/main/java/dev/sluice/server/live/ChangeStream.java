package dev.sluice.server.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.route.ApiResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Server-sent events named {@code change}, without what has changed: for readers that show the state and read it again.
 * Many changes within a pause are one event.
 */
final class ChangeStream implements ApiResponse.StreamBody {

    private final LiveFeed feed;
    private final long after;
    private final Duration pause;
    private final Duration heartbeat;
    private final BooleanSupplier permitted;
    private final Runnable whenClosed;

    ChangeStream(
            LiveFeed feed,
            long after,
            Duration pause,
            Duration heartbeat,
            BooleanSupplier permitted,
            Runnable whenClosed) {
        this.feed = feed;
        this.after = after;
        this.pause = pause;
        this.heartbeat = heartbeat;
        this.permitted = permitted;
        this.whenClosed = whenClosed;
    }

    @Override
    public String type() {
        return "text/event-stream";
    }

    @Override
    public void write(OutputStream out) throws IOException, InterruptedException {
        long known = after;
        boolean open = true;
        while (open && permitted.getAsBoolean()) {
            long last = feed.last();
            if (last == known) {
                out.write(": still here\n\n".getBytes(UTF_8));
                out.flush();
                open = feed.await(known, heartbeat);
            } else {
                known = last;
                out.write(("event: change\nid: " + last + "\ndata: " + last + "\n\n").getBytes(UTF_8));
                out.flush();
                open = feed.await(Long.MAX_VALUE, pause); // only the end of the feed ends this
            }
        }
    }

    @Override
    public void close() {
        whenClosed.run();
    }
}
