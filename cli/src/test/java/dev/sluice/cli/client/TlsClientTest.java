package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.server.testing.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client and a server with a self-signed certificate for localhost. */
final class TlsClientTest {

    private static @Nullable TestCertificate made;

    @TempDir
    Path directory;

    private Path ca = Path.of("");
    private @Nullable SSLServerSocket socket;

    @BeforeAll
    static void make(@TempDir Path folder) throws Exception {
        made = TestCertificate.create(folder, "EC", "dns:localhost");
    }

    @BeforeEach
    void start() throws Exception {
        TestCertificate certificate = Objects.requireNonNull(made);
        ca = directory.resolve("ca.pem");
        certificate.writeCertificate(ca);
        SSLServerSocket listening = (SSLServerSocket) certificate
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        socket = listening;
        Thread thread = new Thread(() -> serve(listening), "tls server");
        thread.setDaemon(true);
        thread.start();
    }

    private static void serve(SSLServerSocket listening) {
        while (!listening.isClosed()) {
            try (SSLSocket client = (SSLSocket) listening.accept()) {
                if (client.getInputStream().read() >= 0) {
                    client.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]".getBytes(UTF_8));
                }
            } catch (IOException refused) {
                // by the client
            }
        }
    }

    @AfterEach
    void end() throws Exception {
        if (socket != null) {
            socket.close();
        }
    }

    private String ask(String host, @Nullable Path trusted) {
        int port = socket == null ? 0 : socket.getLocalPort();
        return new ServerClient(
                        URI.create("https://" + host + ":" + port),
                        "",
                        null,
                        trusted,
                        () -> RetryPolicy.of(Duration.ofSeconds(30)))
                .get(ApiPath.of("nodes"))
                .text();
    }

    @Test
    void server_withTrustedCertificate_isAnswered() {
        assertThat(ask("localhost", ca)).isEqualTo("[]");
    }

    @Test
    void server_withAnyOtherCertificate_isRefused() throws Exception {
        assertThatThrownBy(() -> ask("localhost", null))
                .isInstanceOf(ClientException.class)
                .hasMessageStartingWith("no encrypted connection to https://localhost:")
                .hasMessageEndingWith("; --ca names a file with the certificate of its issuer");
        assertThatThrownBy(() -> ask("127.0.0.1", ca)) // the certificate is for another host
                .isInstanceOf(ClientException.class)
                .hasMessageStartingWith("no encrypted connection to https://127.0.0.1:");
        Path empty = Files.createFile(directory.resolve("empty.pem"));
        assertThatThrownBy(() -> ask("localhost", empty)).hasMessage("no certificates in the PEM format in " + empty);
    }
}
