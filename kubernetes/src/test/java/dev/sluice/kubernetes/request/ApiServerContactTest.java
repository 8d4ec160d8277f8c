package dev.sluice.kubernetes.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class ApiServerContactTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00.5Z");

    @Test
    void problem_isSinceTheFirstRequestWithoutAnswer_untilAnAnswer() throws Exception {
        AtomicReference<Instant> now = new AtomicReference<>(START);
        AtomicInteger code = new AtomicInteger(404);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            if (code.get() > 0) {
                exchange.sendResponseHeaders(code.get(), -1);
            }
            exchange.close();
        });
        server.start();
        ApiServerContact contact = new ApiServerContact(now::get);
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .withRequestRetryBackoffLimit(0)
                        .build())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("contact", contact))
                .build()) {
            ApiRequests requests = new ApiRequests(client);
            assertThat(requests.get("/a").isNotFound()).isTrue();
            assertThat(contact.problem()).isNull();

            code.set(0);
            assertThat(requests.get("/a").code()).isZero();
            assertThat(contact.problem()).as("it may still answer").isNull();
            now.set(START.plus(ApiServerContact.PATIENCE));
            assertThat(requests.get("/a").code()).isZero();
            assertThat(contact.problem()).startsWith("the API server has not answered since 2026-01-01T12:00:00Z");

            code.set(404);
            assertThat(requests.get("/a").isNotFound()).isTrue();
            assertThat(contact.problem()).isNull();
        } finally {
            server.stop(0);
        }
    }
}
