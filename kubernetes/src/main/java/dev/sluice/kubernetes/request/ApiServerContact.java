package dev.sluice.kubernetes.request;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Since when the API server has not answered. Watches that are broken send requests until it does, and a client that
 * does not repeat requests reports failures to no interceptor, so a request without an answer is what counts.
 * Thread-safe.
 */
public final class ApiServerContact implements Interceptor {

    /** The time for an answer. */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    private final InstantSource clock;

    /** When the first request after the last answer was sent, or null. */
    private final AtomicReference<@Nullable Instant> unanswered = new AtomicReference<>();

    /** Creates a contact of which nothing is known. */
    public ApiServerContact(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns since when the API server has not answered; null if it answers. */
    public @Nullable String problem() {
        Instant since = unanswered.get();
        return since == null || clock.instant().isBefore(since.plus(PATIENCE))
                ? null
                : "the API server has not answered since " + since.truncatedTo(ChronoUnit.SECONDS)
                        + ": nothing starts until it answers";
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        unanswered.compareAndSet(null, clock.instant());
    }

    @Override
    public void after(
            HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> unusedConsumer) {
        unanswered.set(null);
    }
}
