package dev.sluice.cli.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** Creates HTTP clients. */
final class HttpConnections {

    private HttpConnections() {}

    static HttpClient to(URI server, Duration connect) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(connect);
        if ("http".equals(server.getScheme())) {
            try {
                // The default context reads all certificates of the machine, which takes longer than the request.
                SSLContext withoutTrustStore = SSLContext.getInstance("TLS");
                withoutTrustStore.init(null, new TrustManager[0], null);
                builder.sslContext(withoutTrustStore);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has TLS", e);
            }
        }
        return builder.build();
    }
}
