package dev.sluice.server.live;

import dev.sluice.server.api.EventView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;

/** Opens event streams, up to a limit, because each occupies a worker thread while it is open. */
public final class EventStreams {

    /** Default maximum number of open streams. */
    public static final int STREAMS_MAX = 64;

    /** The media type of a stream of lines. */
    public static final String LINES = "application/x-ndjson";

    /** Default heartbeat interval; heartbeats let both sides detect a broken connection. */
    public static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final LiveFeed feed;
    private final JsonMapper json;
    private final Duration heartbeat;
    private final int streamsMax;
    private final Semaphore free;

    /**
     * Creates streams of this feed.
     *
     * @param heartbeat the maximum time without output
     * @param streamsMax the maximum number of open streams
     */
    public EventStreams(LiveFeed feed, JsonMapper json, Duration heartbeat, int streamsMax) {
        this.feed = feed;
        this.json = json;
        this.heartbeat = heartbeat;
        this.streamsMax = streamsMax;
        this.free = new Semaphore(streamsMax);
    }

    /** Returns the number of open streams. */
    public int open() {
        return streamsMax - free.availablePermits();
    }

    /**
     * Opens a stream of the events after this one that match the filter.
     *
     * @param permitted returns whether the reader may still read; asked before every output
     * @throws ProblemException if too many streams are open
     */
    public ApiResponse.StreamBody open(long after, Predicate<EventView> filter, BooleanSupplier permitted) {
        acquire();
        return new EventStreamBody(after, filter, permitted);
    }

    /**
     * Opens a stream of the events after this one, one JSON object per line.
     *
     * @param converter returns what is written for an event
     * @param permitted returns whether the reader may still read; asked before every output
     * @throws ProblemException if too many streams are open
     */
    public ApiResponse.StreamBody openLines(long after, Function<EventView, ?> converter, BooleanSupplier permitted) {
        acquire();
        return new LineStream(feed, json, after, converter, heartbeat, permitted, free::release);
    }

    private void acquire() {
        if (!free.tryAcquire()) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE,
                    "limit of " + streamsMax + " event streams reached; close one, or page through /events instead",
                    heartbeat,
                    null);
        }
    }

    /**
     * Opens a stream of the versions of the state.
     *
     * @param after the version that the reader knows
     * @param permitted returns whether the reader may still read; asked before every output
     * @throws ProblemException if too many streams are open
     */
    public ApiResponse.StreamBody openChanges(long after, StateVersions versions, BooleanSupplier permitted) {
        acquire();
        return new ChangeStream(feed, after, versions, heartbeat, permitted, free::release);
    }

    private final class EventStreamBody implements ApiResponse.StreamBody {

        private final long after;
        private final Predicate<EventView> filter;
        private final BooleanSupplier permitted;

        EventStreamBody(long after, Predicate<EventView> filter, BooleanSupplier permitted) {
            this.after = after;
            this.filter = filter;
            this.permitted = permitted;
        }

        @Override
        public String type() {
            return "text/event-stream";
        }

        @Override
        public void write(OutputStream out) throws IOException, InterruptedException {
            new EventStream(feed, json, heartbeat).write(out, after, filter, permitted);
        }

        @Override
        public void close() {
            free.release();
        }
    }
}
