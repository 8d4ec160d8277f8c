package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.metrics.RequestCounter;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Creates clients of API servers. */
final class KubernetesClients {

    private static final int TIMEOUT_MILLIS = 30_000;

    private KubernetesClients() {}

    /**
     * Returns a client for a cluster.
     *
     * @param kubeconfig how to reach it; null: the file in the environment variable {@code KUBECONFIG}, the cluster in
     *     which this program runs, or {@code ~/.kube/config}
     * @param counter counts its requests
     * @throws IOException if there is no such file, or it cannot be read
     */
    static KubernetesClient of(@Nullable Path kubeconfig, RequestCounter counter) throws IOException {
        if (kubeconfig != null && !Files.isReadable(kubeconfig)) {
            throw new IOException("cannot read " + kubeconfig);
        }
        Config config = kubeconfig == null ? Config.autoConfigure(null) : read(kubeconfig);
        boolean hasToken = config.getOauthToken() != null || config.getAutoOAuthToken() != null; // of a service account
        if (kubeconfig == null && config.getCurrentContext() == null && !hasToken) {
            throw new IOException("this program does not run in a cluster, and there is no kubeconfig file: name one"
                    + " with --kubeconfig");
        }
        return of(config, counter);
    }

    private static Config read(Path kubeconfig) throws IOException {
        Config config;
        try {
            config = Config.fromKubeconfig(kubeconfig.toFile());
        } catch (RuntimeException e) { // what the library throws for bad files is not documented
            throw new IOException(kubeconfig + " is not a kubeconfig file: " + firstLine(e), e);
        }
        if (config.getCurrentContext() == null) {
            throw new IOException(kubeconfig + " is not a kubeconfig file: it has no current-context");
        }
        return config;
    }

    private static String firstLine(RuntimeException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    /** Returns a client that does not repeat requests, which would hide conflicts. */
    static KubernetesClient of(Config config, RequestCounter counter) {
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(TIMEOUT_MILLIS);
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("metrics", counter))
                .build();
    }
}
