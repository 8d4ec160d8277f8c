package dev.sluice.server.access;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Requests to an issuer. They follow no redirects, and time and size of a response are limited. */
final class IssuerHttp {

    /** Time limit of one request, with its response. */
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    /** Maximum size of a response. */
    static final int RESPONSE_BYTES_MAX = 1 << 20;

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(REQUEST_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** Sends a request; blocks for a limited time. */
    HttpResponse<String> send(HttpRequest request) throws IOException {
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(request, info -> new LimitedBody());
        try {
            return answer.get(REQUEST_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException(request.uri() + " did not respond within " + REQUEST_TIMEOUT.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            String reason = e.getCause() == null ? null : e.getCause().getMessage(); // none if nothing listens
            throw new IOException("cannot connect to " + request.uri() + (reason == null ? "" : ": " + reason), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            answer.cancel(true);
        }
    }

    private static final class LimitedBody implements HttpResponse.BodySubscriber<String> {

        private final CompletableFuture<String> body = new CompletableFuture<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Flow.@Nullable Subscription subscription;

        @Override
        public CompletionStage<String> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription source) {
            subscription = source;
            source.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            for (ByteBuffer buffer : buffers) {
                if (bytes.size() + buffer.remaining() > RESPONSE_BYTES_MAX) {
                    if (subscription != null) {
                        subscription.cancel();
                    }
                    body.completeExceptionally(
                            new IOException("the response has more than " + RESPONSE_BYTES_MAX + " bytes"));
                    return;
                }
                byte[] content = new byte[buffer.remaining()];
                buffer.get(content);
                bytes.writeBytes(content);
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
