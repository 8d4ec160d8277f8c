package dev.sluice.kubernetes.metrics;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;

/** Counts the requests of a client. */
public final class RequestCounter implements Interceptor {

    private static final String NO_ANSWER = "<error>";

    private final ClusterMetrics metrics;

    /** Creates a counter. */
    public RequestCounter(ClusterMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void after(
            HttpRequest request, HttpResponse<?> response, AsyncBody.Consumer<List<ByteBuffer>> unusedConsumer) {
        metrics.requested(request.method(), String.valueOf(response.code()));
    }

    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        metrics.requested(request.method(), NO_ANSWER);
    }
}
