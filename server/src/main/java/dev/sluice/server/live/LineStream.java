package dev.sluice.server.live;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.EventView;
import dev.sluice.server.route.ApiResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/** Events as JSON, one per line; empty lines are heartbeats. */
final class LineStream implements ApiResponse.StreamBody {

    private static final int PAGE = 1000;

    private final LiveFeed feed;
    private final JsonMapper json;
    private final long after;
    private final Function<EventView, ?> converter;
    private final Duration heartbeat;
    private final BooleanSupplier permitted;
    private final Runnable whenClosed;

    LineStream(
            LiveFeed feed,
            JsonMapper json,
            long after,
            Function<EventView, ?> converter,
            Duration heartbeat,
            BooleanSupplier permitted,
            Runnable whenClosed) {
        this.feed = feed;
        this.json = json;
        this.after = after;
        this.converter = converter;
        this.heartbeat = heartbeat;
        this.permitted = permitted;
        this.whenClosed = whenClosed;
    }

    @Override
    public String type() {
        return EventStreams.LINES;
    }

    @Override
    public void write(OutputStream out) throws IOException, InterruptedException {
        long position = after;
        boolean open = true;
        while (open && permitted.getAsBoolean()) {
            List<EventView> events = after(position);
            for (EventView event : events) {
                position = event.sequence();
                out.write(json.writeValueAsBytes(converter.apply(event)));
                out.write('\n');
            }
            if (events.isEmpty()) {
                out.write('\n');
            }
            out.flush();
            open = feed.await(position, heartbeat);
        }
    }

    /** A stream that cannot go on breaks off: its readers know no other sign of an error. */
    private List<EventView> after(long position) throws IOException {
        try {
            return feed.after(position, PAGE);
        } catch (StoreException e) {
            throw new IOException("cannot read the journal", e);
        }
    }

    @Override
    public void close() {
        whenClosed.run();
    }
}
