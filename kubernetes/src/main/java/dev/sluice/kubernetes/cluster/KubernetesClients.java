package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.metrics.RequestCounter;
import dev.sluice.kubernetes.request.ApiServerContact;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates clients of API servers. */
public final class KubernetesClients {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private KubernetesClients() {}

    /**
     * Returns a client for a cluster.
     *
     * @param kubeconfig how to reach it; null: the file in the environment variable {@code KUBECONFIG}, the cluster in
     *     which this program runs, or {@code ~/.kube/config}
     * @param counter counts its requests
     * @param contact observes whether the API server answers
     * @param permitted whether requests may be sent, such as while this server holds a lease; they fail otherwise
     * @throws IOException if there is no such file, or it cannot be read
     */
    static KubernetesClient of(
            @Nullable Path kubeconfig, RequestCounter counter, ApiServerContact contact, BooleanSupplier permitted)
            throws IOException {
        return client(
                config(kubeconfig),
                TIMEOUT,
                http -> http.addOrReplaceInterceptor("metrics", counter)
                        .addOrReplaceInterceptor("contact", contact)
                        .addOrReplaceInterceptor("permitted", new Gate(permitted)));
    }

    /** Returns a client that waits for an answer for so long. */
    public static KubernetesClient of(@Nullable Path kubeconfig, Duration timeout) throws IOException {
        return client(config(kubeconfig), timeout, http -> {});
    }

    private static Config config(@Nullable Path kubeconfig) throws IOException {
        if (kubeconfig != null && !Files.isReadable(kubeconfig)) {
            throw new IOException("cannot read " + kubeconfig);
        }
        Config config = kubeconfig == null ? Config.autoConfigure(null) : read(kubeconfig);
        boolean hasToken = config.getOauthToken() != null || config.getAutoOAuthToken() != null; // of a service account
        if (kubeconfig == null && config.getCurrentContext() == null && !hasToken) {
            throw new IOException("this program does not run in a cluster, and there is no kubeconfig file: name one"
                    + " with --kubeconfig");
        }
        return config;
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
    static KubernetesClient of(Config config) {
        return client(config, TIMEOUT, http -> {});
    }

    private static KubernetesClient client(Config config, Duration timeout, Consumer<HttpClient.Builder> interceptors) {
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout((int) timeout.toMillis());
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(interceptors)
                .build();
    }

    /** Refuses requests that may not be sent. */
    private record Gate(BooleanSupplier permitted) implements Interceptor {

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            if (!permitted.getAsBoolean()) {
                throw new KubernetesClientException("this server is not the leader any more");
            }
        }
    }
}
