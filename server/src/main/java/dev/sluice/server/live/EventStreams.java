package dev.sluice.server.live;

import dev.sluice.server.api.EventView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;

/** Opens streams of events, but only so many at a time, since each takes a thread of the web server as long as it lasts. */
public final class EventStreams {

    /** How many there are at a time where nobody says otherwise. */
    public static final int STREAMS_MAX = 64;

    /** So often something is sent even if nothing happens, so that both sides learn when the other is gone. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final LiveFeed feed;
    private final JsonMapper json;
    private final Duration heartbeat;
    private final int streamsMax;
    private final Semaphore free;

    /**
     * Streams of this feed.
     *
     * @param heartbeat how often something is sent at least
     * @param streamsMax how many there are at a time
     */
    public EventStreams(LiveFeed feed, JsonMapper json, Duration heartbeat, int streamsMax) {
        this.feed = feed;
        this.json = json;
        this.heartbeat = heartbeat;
        this.streamsMax = streamsMax;
        this.free = new Semaphore(streamsMax);
    }

    /** How many there are. */
    public int open() {
        return streamsMax - free.availablePermits();
    }

    /** What comes after this event and is wanted; throws a {@link ProblemException} if there are too many streams. */
    public ApiResponse.StreamBody open(long after, Predicate<EventView> filter) {
        if (!free.tryAcquire()) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE,
                    "limit of " + streamsMax + " event streams reached; close one, or page through /events instead",
                    heartbeat,
                    null);
        }
        return new EventStreamBody(after, filter);
    }

    private final class EventStreamBody implements ApiResponse.StreamBody {

        private final long after;
        private final Predicate<EventView> filter;

        EventStreamBody(long after, Predicate<EventView> filter) {
            this.after = after;
            this.filter = filter;
        }

        @Override
        public String type() {
            return "text/event-stream";
        }

        @Override
        public void write(OutputStream out) throws IOException, InterruptedException {
            new EventStream(feed, json, heartbeat).write(out, after, filter);
        }

        @Override
        public void close() {
            free.release();
        }
    }
}
