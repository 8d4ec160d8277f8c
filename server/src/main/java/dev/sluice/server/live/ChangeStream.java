package dev.sluice.server.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.server.route.ApiResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Server-sent events named {@code change}, one for each version of the state, without what has changed: for readers that
 * show the state and read it again.
 */
final class ChangeStream implements ApiResponse.StreamBody {

    /** Waits end a little later, since the versions have a clock of their own. */
    private static final Duration SHORTEST = Duration.ofMillis(5);

    private final LiveFeed feed;
    private final long after;
    private final StateVersions versions;
    private final Duration heartbeat;
    private final BooleanSupplier permitted;
    private final Runnable whenClosed;

    ChangeStream(
            LiveFeed feed,
            long after,
            StateVersions versions,
            Duration heartbeat,
            BooleanSupplier permitted,
            Runnable whenClosed) {
        this.feed = feed;
        this.after = after;
        this.versions = versions;
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
            long version = versions.current();
            if (version > known) {
                known = version;
                out.write(("event: change\nid: " + version + "\ndata: " + version + "\n\n").getBytes(UTF_8));
                out.flush();
            } else if (feed.last() > known) {
                open = feed.await(Long.MAX_VALUE, remaining()); // only the end of the feed ends this
            } else {
                out.write(": still here\n\n".getBytes(UTF_8));
                out.flush();
                open = feed.await(known, heartbeat);
            }
        }
    }

    private Duration remaining() {
        Duration remaining = versions.remaining();
        return remaining.compareTo(SHORTEST) < 0 ? SHORTEST : remaining;
    }

    @Override
    public void close() {
        whenClosed.run();
    }
}
