package dev.sluice.server.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.EventView;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes events as server-sent events. The id is the sequence number, so a client that reconnects resumes with
 * {@code Last-Event-ID}.
 */
final class EventStream {

    private static final int PAGE = 1000;

    private final LiveFeed feed;
    private final JsonMapper json;
    private final Duration heartbeat;

    /**
     * Creates a stream of this feed.
     *
     * @param heartbeat the maximum time without output
     */
    EventStream(LiveFeed feed, JsonMapper json, Duration heartbeat) {
        this.feed = feed;
        this.json = json;
        this.heartbeat = heartbeat;
    }

    /**
     * Writes the events after this one until the feed is closed, the client disconnects or may not read any more, which
     * is checked before every output, so at least once per heartbeat.
     *
     * @throws IOException if the client has disconnected
     */
    void write(OutputStream out, long after, Predicate<EventView> filter, BooleanSupplier permitted)
            throws IOException, InterruptedException {
        long position = after;
        out.write((": from " + (after + 1) + "\n\n").getBytes(UTF_8));
        out.flush();
        boolean open = true;
        while (open) {
            List<EventView> events;
            try {
                if (!feed.isInMemory(position)) {
                    long first = feed.firstSequence();
                    if (position + 1 < first) {
                        out.write(("event: gap\ndata: {\"first\":" + first + "}\n\n").getBytes(UTF_8));
                        position = first - 1;
                    }
                }
                events = feed.after(position, PAGE);
            } catch (StoreException e) {
                out.write("event: unavailable\ndata: {}\n\n".getBytes(UTF_8));
                out.flush();
                return;
            }
            long shown = position;
            for (EventView event : events) {
                position = event.sequence();
                if (filter.test(event)) {
                    write(out, event);
                    shown = position;
                }
            }
            if (events.isEmpty()) {
                out.write(": still here\n\n".getBytes(UTF_8));
            } else if (shown < position) {
                // so that a client with a filter does not read all of this again when it reconnects
                out.write(("id: " + position + "\n\n").getBytes(UTF_8));
            }
            out.flush();
            open = feed.await(position, heartbeat) && permitted.getAsBoolean();
        }
    }

    private void write(OutputStream out, EventView event) throws IOException {
        out.write(("id: " + event.sequence() + "\nevent: " + event.type() + "\ndata: ").getBytes(UTF_8));
        out.write(json.writeValueAsBytes(event));
        out.write("\n\n".getBytes(UTF_8));
    }
}
