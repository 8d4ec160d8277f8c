package dev.sluice.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that try to confuse the server, or to use up its memory or connections. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class HostileRequestsTest {

    private static final String HOST = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String SUBMIT = "POST /api/v1/partitions/default/applications" + HOST + JSON;
    private static final String HEALTH = "GET /api/v1/health" + HOST;
    private static final String CLOSE = "Connection: close\r\n\r\n";
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");

    /** More than the server keeps, but not more than it and the system let wait. */
    private static final int CONNECTIONS = 4500;

    private TestDaemon daemon;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        daemon = TestDaemon.start(DaemonSettings.in(folder));
    }

    @AfterAll
    void end() {
        daemon.close();
    }

    /** Sends a request and returns everything that is answered. */
    private String ask(byte[] request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), daemon.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        } catch (SocketException reset) {
            return "";
        }
    }

    private String ask(String request) throws IOException {
        return ask(request.getBytes(ISO_8859_1));
    }

    private static List<String> statuses(String answers) {
        List<String> found = new ArrayList<>();
        Matcher matcher = STATUS.matcher(answers);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    @Test
    void body_compressed_isRefusedUnread() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            for (int i = 0; i < 50; i++) {
                gzip.write(new byte[1 << 20]);
            }
        }
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes((SUBMIT + "Content-Encoding: gzip\r\nContent-Length: " + packed.size() + "\r\n" + CLOSE)
                .getBytes(ISO_8859_1));
        packed.writeTo(request);
        assertThat(ask(request.toByteArray()))
                .startsWith("HTTP/1.1 415")
                .contains("urn:sluice:problem:media-type")
                .contains("without the header Content-Encoding");
        assertThat(ask(SUBMIT + "Content-Encoding: identity\r\nContent-Length: 2\r\n" + CLOSE + "{}"))
                .startsWith("HTTP/1.1 201");
    }

    /** Each could be read as one request or as two. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
                "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
                "Content-Length: 2, 3\r\n\r\n{}",
                "Content-Length: -2\r\n\r\n{}",
                "Content-Length: +2\r\n\r\n{}",
                "Content-Length: 0x2\r\n\r\n{}",
                "Content-Length: 99999999999999999999\r\n\r\n{}",
                "Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding : chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: \u000bchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n2\r\n{}x\r\n0\r\n\r\n"
            })
    void length_ambiguous_isRefusedAndClosesConnection(String rest) throws IOException {
        String answer = ask(SUBMIT + rest + HEALTH + CLOSE);
        assertThat(statuses(answer)).as(answer).hasSize(1).allMatch(status -> status.startsWith("4"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/v1/health HTTP/1.1\r\n",
                "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n",
                "GET /api/v1/health HTTP/1.1\r\nHost: \r\n",
                "GET /api/v1/health HTTP/1.1\r\nHost: localhost, evil.example\r\n",
                "GET /api/v1/health HTTP/1.1\r\nHost: localhost@evil.example\r\n",
                "GET http://evil.example/api/v1/health HTTP/1.1\r\nHost: localhost\r\n",
                "GET /api/v1/health HTTP/1.1\r\n Host: localhost\r\n",
                "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n",
                "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nX\u0000: a\r\n",
                "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n"
            })
    void host_missingOrAmbiguous_isRefused(String head) throws IOException {
        String answer = ask(head + CLOSE);
        assertThat(statuses(answer)).as(answer).hasSize(1).allMatch(status -> status.startsWith("4"));
    }

    @Test
    void headers_tooManyOrTooLong_areRefused() throws IOException {
        assertThat(ask(HEALTH + "X: y\r\n".repeat(10_000) + CLOSE)).startsWith("HTTP/1.1 431");
        assertThat(ask(HEALTH + "X: y\r\n".repeat(100) + CLOSE)).startsWith("HTTP/1.1 200");
        assertThat(ask(SUBMIT + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "X: y\r\n".repeat(10_000) + "\r\n"))
                .as("trailers")
                .doesNotContain("HTTP/1.1 2")
                .doesNotContain("HTTP/1.1 5");
    }

    @Test
    void requests_pipelined_areAnsweredInOrder() throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            requests.append("GET /nothing/").append(i).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        String answers = ask(requests + HEALTH + CLOSE);
        assertThat(statuses(answers)).hasSize(201).last().isEqualTo("200");
        int position = 0;
        for (int i = 0; i < 200; i++) {
            position = answers.indexOf("path /nothing/" + i + " not found", position);
            assertThat(position).as("answer %s", i).isPositive();
        }
    }

    /** HTTP/2 is off, so its attacks, such as rapid resets, have no target. */
    @Test
    void http2_isNotSpoken() throws IOException {
        assertThat(ask("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"))
                .doesNotContain("HTTP/2")
                .doesNotContain("HTTP/1.1 2");
        String upgrade = "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n";
        assertThat(ask(HEALTH + upgrade + "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n"))
                .startsWith("HTTP/1.1 200");
    }

    /** There are at most 4,096 connections: idle ones have to go so that others are served. */
    @Test
    @Tag("slow")
    void connections_idleBeyondMaximum_doNotLockOutOthers() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), daemon.port()));
            }
            long began = System.nanoTime();
            assertThat(daemon.client().get("/health").status()).isEqualTo(200);
            assertThat(System.nanoTime() - began)
                    .as("well below the usual idle timeout of 30 s")
                    .isLessThan(15_000_000_000L);
        } finally {
            for (Socket each : idle) {
                each.close();
            }
        }
        assertThat(daemon.client().get("/health").status()).isEqualTo(200);
    }
}
