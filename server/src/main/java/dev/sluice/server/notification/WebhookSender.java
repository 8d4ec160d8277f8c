package dev.sluice.server.notification;

import dev.sluice.config.field.DurationText;
import dev.sluice.config.notification.SecretSource;
import dev.sluice.config.notification.Webhook;
import dev.sluice.config.notification.WebhookAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Posts notifications to a web address. Secrets are read for each request. */
public final class WebhookSender implements Sender {

    private static final int RECEIVED_FIRST = 200;
    private static final int RECEIVED_LAST = 299;

    private final HttpClient client;
    private final Webhook webhook;
    private final Duration timeout;
    private final InstantSource clock;
    private final Secrets secrets;

    WebhookSender(HttpClient client, Webhook webhook, Duration timeout, InstantSource clock, Secrets secrets) {
        this.client = client;
        this.webhook = webhook;
        this.timeout = timeout;
        this.clock = clock;
        this.secrets = secrets;
    }

    /** Creates a sender to an address without secrets. */
    public static WebhookSender to(URI url, Duration timeout) {
        return new WebhookSender(
                client(),
                new Webhook(url.toString(), null, null, null),
                timeout,
                InstantSource.system(),
                new Secrets(Map.of()));
    }

    /** Returns a client that follows no redirects, which could lead to addresses that nobody configured. */
    static HttpClient client() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** Reads all secrets once, so that a missing one is noticed at the start. */
    void check() throws DeliveryException {
        HttpRequest unused = request("check", "");
    }

    @Override
    public void send(String id, String content) throws DeliveryException, InterruptedException {
        CompletableFuture<HttpResponse<Void>> response =
                client.sendAsync(request(id, content), HttpResponse.BodyHandlers.discarding());
        try {
            // the timeout of a request ends with the headers of the response, this one with its body
            int status = response.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
            if (status < RECEIVED_FIRST || status > RECEIVED_LAST) {
                throw new DeliveryException("HTTP status " + status);
            }
        } catch (TimeoutException e) {
            throw late();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw failure(cause == null ? e : cause);
        } finally {
            response.cancel(true);
        }
    }

    private HttpRequest request(String id, String content) throws DeliveryException {
        long timestamp = clock.instant().getEpochSecond();
        HttpRequest.Builder request = HttpRequest.newBuilder(url())
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("User-Agent", "sluice")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(timestamp))
                .POST(HttpRequest.BodyPublishers.ofString(content));
        SecretSource secret = webhook.secret();
        if (secret != null) {
            request.header("webhook-signature", WebhookSignature.of(secrets.read(secret), id, timestamp, content));
        }
        SecretSource authorization = webhook.authorization();
        if (authorization != null) {
            try {
                request.header("Authorization", secrets.read(authorization));
            } catch (IllegalArgumentException e) {
                throw new DeliveryException("the secret of authorization is not a valid header value");
            }
        }
        return request.build();
    }

    private URI url() throws DeliveryException {
        SecretSource secret = webhook.secretUrl();
        URI url = WebhookAddress.parse(secret == null ? String.valueOf(webhook.url()) : secrets.read(secret));
        if (url == null) {
            throw new DeliveryException("the secret of url is not an http or https address");
        }
        return url;
    }

    /** Describes an error without its message, which may contain the address. */
    private DeliveryException failure(Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return late();
        }
        if (cause instanceof ConnectException) {
            return new DeliveryException("cannot connect");
        }
        if (cause instanceof SSLException) {
            return new DeliveryException("TLS connection failed");
        }
        return new DeliveryException(
                cause instanceof IOException
                        ? "connection failed"
                        : "request failed: " + cause.getClass().getSimpleName());
    }

    private DeliveryException late() {
        return new DeliveryException("no response within " + DurationText.format(timeout));
    }
}
