package dev.sluice.benchmarks.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Sends requests to an API server, many at a time. */
final class ApiClient {

    private static final int PARALLEL = 96;

    /** An HTTP/2 connection each. */
    private static final int CONNECTIONS = 4;

    private final URI server;
    private final String token;
    private final List<HttpClient> clients = new ArrayList<>();
    private final Semaphore permits = new Semaphore(PARALLEL);
    private int next;

    /** Creates a client for a kubeconfig that {@code test-cluster/up} has written. */
    ApiClient(Path kubeconfig) throws IOException {
        String text = Files.readString(kubeconfig);
        server = URI.create(value(text, "server"));
        token = value(text, "token");
        SSLContext trust = trust(Path.of(value(text, "certificate-authority")));
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(HttpClient.newBuilder().sslContext(trust).build());
        }
    }

    private static String value(String kubeconfig, String key) throws IOException {
        Matcher found = Pattern.compile(key + ": \"([^\"]*)\"").matcher(kubeconfig);
        if (!found.find()) {
            throw new IOException("no " + key + " in the kubeconfig");
        }
        return found.group(1);
    }

    private static SSLContext trust(Path certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            int count = 0;
            for (var each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("c" + count, each);
                count++;
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot trust " + certificate, e);
        }
    }

    /** Sends a request as soon as few enough are in flight; the result fails unless it succeeds. */
    CompletableFuture<Void> send(String method, String path, @Nullable String body) throws InterruptedException {
        permits.acquire();
        return exchange(method, path, body).whenComplete((answer, problem) -> permits.release());
    }

    /** Sends two requests, the second one after the answer to the first one. */
    CompletableFuture<Void> send(String path, String body, String laterPath, String later) throws InterruptedException {
        permits.acquire();
        return exchange("POST", path, body)
                .thenCompose(answer -> exchange("POST", laterPath, later))
                .whenComplete((answer, problem) -> permits.release());
    }

    private CompletableFuture<Void> exchange(String method, String path, @Nullable String body) {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .build();
        return client().sendAsync(request, HttpResponse.BodyHandlers.ofString()).thenAccept(answer -> {
            if (answer.statusCode() >= 300) {
                throw new UncheckedIOException(new IOException(method + " " + path + ": " + answer.body()));
            }
        });
    }

    private synchronized HttpClient client() {
        next = (next + 1) % clients.size();
        return clients.get(next);
    }
}
