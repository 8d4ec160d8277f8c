package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.server.RawClient;
import dev.sluice.server.http.ListenSettings.TlsFiles;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate. */
final class TlsTest {

    @TempDir
    static Path made;

    private static @Nullable Map<String, TestCertificate> certificates;

    @TempDir
    Path folder;

    private TlsFiles files = new TlsFiles(Path.of(""), Path.of(""));
    private @Nullable HttpServer server;

    @BeforeAll
    static void make() throws Exception {
        certificates = Map.of(
                "ec", TestCertificate.create(made, "EC", "dns:lab.example.org,dns:*.wild.example.org,ip:192.0.2.1"),
                "rsa", TestCertificate.create(made, "RSA", "dns:renewed.example.org"));
    }

    private static TestCertificate certificate(String name) {
        if (certificates == null) {
            throw new IllegalStateException("not made yet");
        }
        return Objects.requireNonNull(certificates.get(name));
    }

    @BeforeEach
    void prepare() {
        files = new TlsFiles(folder.resolve("certificate.pem"), folder.resolve("key.pem"));
    }

    @AfterEach
    void end() {
        if (server != null) {
            server.close();
        }
    }

    private int start() throws Exception {
        HttpServer started = HttpServer.start(
                HttpServer.Settings.of(0, 1 << 20, 8)
                        .withListen(new ListenSettings("127.0.0.1", null, files, List.of("given.example.org"))),
                Json.mapper(),
                credentials -> Caller.unverified(credentials.user()),
                List.of(Route.post("/test")
                        .named("test", "test")
                        .role(Role.VIEWER)
                        .summary("Answers.")
                        .textResponse("Text.", "text/plain")
                        .handledBy(call -> ApiResponse.text("text/plain", "encrypted"))),
                (route, status, nanos) -> {});
        server = started;
        return started.port();
    }

    /** Sends a request to a server that must have this certificate. */
    private static String ask(int port, X509Certificate trusted, String host, String headers) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("trusted", trusted);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.getOutputStream()
                    .write(("POST /api/v1/test HTTP/1.1\r\nHost: " + host + "\r\n" + headers
                                    + "Content-Length: 0\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void certificate_changedOnDisk_isUsedWithoutRestart() throws Exception {
        certificate("ec").write(files);
        int port = start();
        X509Certificate first = certificate("ec").certificate();
        X509Certificate second = certificate("rsa").certificate();
        assertThat(ask(port, first, "localhost", "")).contains("encrypted");
        assertThatThrownBy(() -> ask(port, second, "localhost", "")).isInstanceOf(SSLException.class);

        certificate("rsa").writeCertificate(files.certificate()); // the key does not belong to it yet
        assertThat(ask(port, first, "localhost", "")).contains("encrypted");
        Files.writeString(files.key(), "half a k");
        assertThat(ask(port, first, "localhost", "")).contains("encrypted");

        certificate("rsa").writeKey(files.key());
        assertThat(ask(port, second, "localhost", "")).contains("encrypted");
        assertThat(ask(port, second, "renewed.example.org", "")).contains("encrypted");
        assertThat(ask(port, second, "lab.example.org", "")).startsWith("HTTP/1.1 403");
        assertThatThrownBy(() -> ask(port, first, "localhost", "")).isInstanceOf(SSLException.class);
    }

    @Test
    void host_isNameOfCertificateOrGiven() throws Exception {
        certificate("ec").write(files);
        int port = start();
        X509Certificate trusted = certificate("ec").certificate();

        for (String own : List.of(
                "lab.example.org:7450", "LAB.example.org", "a.wild.example.org", "192.0.2.1", "given.example.org")) {
            assertThat(ask(port, trusted, own, "")).as(own).startsWith("HTTP/1.1 200");
            assertThat(ask(port, trusted, own, "Origin: https://" + own + "\r\n"))
                    .as(own)
                    .startsWith("HTTP/1.1 200");
            assertThat(ask(port, trusted, own, "Origin: http://" + own + "\r\n"))
                    .as(own)
                    .startsWith("HTTP/1.1 403");
        }
        for (String other : List.of("evil.example", "a.b.wild.example.org", "wild.example.org")) {
            assertThat(ask(port, trusted, other, "")).as(other).startsWith("HTTP/1.1 4");
        }
    }

    @Test
    void plainRequest_isNotAnswered() throws Exception {
        certificate("ec").write(files);
        int port = start();

        assertThat(RawClient.ask(port, "POST /api/v1/test HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"))
                .doesNotContain("encrypted");
    }

    @Test
    void files_invalid_areRefusedWithCure() throws Exception {
        assertThatThrownBy(this::start)
                .isInstanceOf(IOException.class)
                .hasMessage("cannot read " + files.certificate() + ": NoSuchFileException");
        certificate("ec").write(files);

        Files.writeString(files.key(), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
        assertThatThrownBy(this::start).hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
        certificate("rsa").writeKey(files.key());
        assertThatThrownBy(this::start).hasMessageContaining("is not an EC key");
        certificate("ec").writeKey(files.key());
        Files.writeString(files.certificate(), "not a certificate");
        assertThatThrownBy(this::start).hasMessageContaining("no certificates in the PEM format");
    }
}
