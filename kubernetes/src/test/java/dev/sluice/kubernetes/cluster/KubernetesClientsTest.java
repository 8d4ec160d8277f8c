package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.kubernetes.metrics.ClusterMetrics;
import dev.sluice.kubernetes.metrics.RequestCounter;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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

    @Test
    void pod_withServiceAccount_usesItsTokenAndNamespace(@TempDir Path folder) throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "header.claims.signature");
        setFiles(token, Files.writeString(folder.resolve("namespace"), "batch"));
        try (KubernetesClient client = KubernetesClients.of((Path) null, new RequestCounter(new ClusterMetrics()))) {
            assertThat(client.getConfiguration().getAutoOAuthToken()).isEqualTo("header.claims.signature");
            assertThat(client.getNamespace()).isEqualTo("batch");
        }
    }

    @Test
    void machine_withoutServiceAccountAndKubeconfig_isTold(@TempDir Path folder) {
        setFiles(folder.resolve("token"), folder.resolve("namespace"));
        assertThatThrownBy(() -> KubernetesClients.of((Path) null, new RequestCounter(new ClusterMetrics())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--kubeconfig");
    }
}
