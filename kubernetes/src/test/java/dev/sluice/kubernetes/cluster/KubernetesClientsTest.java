package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.kubernetes.metrics.ClusterMetrics;
import dev.sluice.kubernetes.metrics.RequestCounter;
import dev.sluice.kubernetes.request.ApiAnswer;
import dev.sluice.kubernetes.request.ApiRequests;
import dev.sluice.kubernetes.request.ApiServerContact;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the API server is found without a kubeconfig file that is named. */
final class KubernetesClientsTest {

    private final Map<String, @Nullable String> before = new HashMap<>();

    @AfterEach
    void restore() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }

    private void set(String name, String value) {
        before.put(name, System.setProperty(name, value));
    }

    private void setFiles(Path token, Path namespace) {
        set(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, "false");
        set(Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY, token.toString());
        set(Config.KUBERNETES_NAMESPACE_FILE, namespace.toString());
    }

    private final RequestCounter counter = new RequestCounter(new ClusterMetrics());
    private final ApiServerContact contact = new ApiServerContact(InstantSource.system());

    @Test
    void pod_withServiceAccount_usesItsTokenAndNamespace(@TempDir Path folder) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "header.claims.signature");
        setFiles(token, Files.writeString(folder.resolve("namespace"), "batch"));
        try (KubernetesClient client = KubernetesClients.of(null, counter, contact, () -> true)) {
            assertThat(client.getConfiguration().getAutoOAuthToken()).isEqualTo("header.claims.signature");
            assertThat(client.getNamespace()).isEqualTo("batch");
        }
    }

    @Test
    void machine_withoutServiceAccountAndKubeconfig_isTold(@TempDir Path folder) {
        setFiles(folder.resolve("token"), folder.resolve("namespace"));
        assertThatThrownBy(() -> KubernetesClients.of(null, counter, contact, () -> true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--kubeconfig");
    }

    @Test
    void requests_notPermitted_areNotSent(@TempDir Path folder) throws IOException {
        AtomicInteger received = new AtomicInteger();
        AtomicBoolean permitted = new AtomicBoolean(true);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.incrementAndGet();
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
        Path kubeconfig = kubeconfig(folder, server.getAddress().getPort());
        try (KubernetesClient client = KubernetesClients.of(kubeconfig, counter, contact, permitted::get)) {
            assertThat(new ApiRequests(client).get("/a").isNotFound()).isTrue();
            permitted.set(false);
            ApiAnswer answer = new ApiRequests(client).get("/a");
            assertThat(answer.isTransient()).isTrue();
            assertThat(answer.reason()).contains("not the leader");
            assertThatThrownBy(() -> client.raw("/b", "POST", "{}"))
                    .isInstanceOf(KubernetesClientException.class)
                    .hasStackTraceContaining("not the leader");
            assertThatThrownBy(() -> client.pods().inNamespace("default").list())
                    .isInstanceOf(KubernetesClientException.class);
            assertThat(received).hasValue(1);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void start_whereRequestsAreNotPermitted_failsWithTheReason(@TempDir Path folder) throws Exception {
        Path kubeconfig = kubeconfig(folder, 1); // where no server listens
        try (KubernetesCluster cluster = KubernetesCluster.of(kubeconfig, KubernetesSettings.DEFAULT, () -> false)) {
            assertThatThrownBy(cluster::open)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("cannot list the cluster: ")
                    .hasMessageContaining("not the leader");
        }
    }

    private static Path kubeconfig(Path folder, int port) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: c, context: {cluster: c}}]
                current-context: c
                """.formatted(port));
    }
}
