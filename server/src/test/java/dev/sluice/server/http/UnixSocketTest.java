package dev.sluice.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.server.RawClient;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.io.IOException;
import java.net.BindException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server on a Unix socket. */
final class UnixSocketTest {

    private static final String OWN_USER = System.getProperty("user.name");

    /** The user at the other end of the socket, and whether the server's user or root; nobody over TCP. */
    private static final Authenticator PEERS = credentials -> {
        Peer peer = credentials.peer();
        try {
            String user = peer == null ? "" : peer.user();
            return peer == null
                    ? Caller.UNKNOWN
                    : new Caller(
                            user, List.of(), peer.isPrivileged(user) ? Role.ADMIN : Role.VIEWER, Caller.Source.SOCKET);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    };

    private static final Route WHO = Route.get("/who")
            .named("getWho", "test")
            .role(Role.VIEWER)
            .summary("Answers the caller.")
            .textResponse("The caller.", "text/plain")
            .handledBy(call -> ApiResponse.text(
                    "text/plain", call.actor() + " " + call.caller().role().wireName()));

    private static final String REQUEST = "GET /api/v1/who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    @TempDir
    Path folder;

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<String> audited = new ArrayList<>();
    private Path socket = Path.of("");

    @BeforeEach
    void prepare() {
        socket = folder.resolve("sluice.sock");
    }

    @AfterEach
    void end() {
        servers.forEach(HttpServer::close);
    }

    private HttpServer start() throws IOException {
        return start(0);
    }

    private HttpServer start(int port) throws IOException {
        HttpServer server = HttpServer.start(
                HttpServer.Settings.of(port, 1 << 20, 8).withListen(ListenSettings.LOOPBACK.withSocket(socket)),
                Json.mapper(),
                PEERS,
                List.of(WHO),
                (route, status, nanos) -> {},
                (caller, address, route, target, status, hasChanged, detail) -> audited.add(address));
        servers.add(server);
        return server;
    }

    private String ask() throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            int unused = channel.write(ByteBuffer.wrap(REQUEST.getBytes(UTF_8)));
            return new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
        }
    }

    @Test
    void caller_overSocket_isNamedByTheKernel() throws Exception {
        HttpServer server = start();

        assertThat(ask()).startsWith("HTTP/1.1 200").endsWith(OWN_USER + " admin");
        assertThat(RawClient.ask(server.port(), REQUEST)).startsWith("HTTP/1.1 401");
        assertThat(audited).containsExactly("socket", "127.0.0.1");
    }

    @Test
    void callers_otherUsers_areThemselves() throws Exception {
        assumeTrue(OWN_USER.equals("root"), "only root can run a program as another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is missing");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        HttpServer unused = start();

        assertThat(askAs("nobody")).isEqualTo("nobody viewer");
        assertThat(askAs("54321")).isEqualTo("54321 viewer"); // has no name
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThat(askAs("nobody")).isEmpty();
    }

    private String askAs(String user) throws Exception {
        Process process = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + user,
                        "--clear-groups",
                        "curl",
                        "-s",
                        "--unix-socket",
                        socket.toString(),
                        "http://localhost/api/v1/who")
                .start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void socket_isRemovedAtTheEnd() throws Exception {
        HttpServer server = start();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
                .isEqualTo("rw-rw-rw-");

        server.close();

        assertThat(socket).doesNotExist();
    }

    @Test
    void socket_ofFailedStart_isRemoved() throws Exception {
        HttpServer first = start();
        socket = folder.resolve("second.sock");

        assertThatThrownBy(() -> start(first.port())).isInstanceOf(BindException.class);

        assertThat(socket).doesNotExist();
    }

    @Test
    void socket_replacedByAnotherServer_isNotRemoved() throws Exception {
        HttpServer server = start();
        Files.delete(socket);
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));
            server.close();
            assertThat(Files.exists(socket)).isTrue();
        }
    }

    @Test
    void socket_ofKilledServer_isReplaced() throws Exception {
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(socket)); // closing leaves the file
        }

        HttpServer unused = start();

        assertThat(ask()).startsWith("HTTP/1.1 200");
    }

    @Test
    void socket_ofRunningServer_isNotReplaced() throws Exception {
        HttpServer unused = start();

        assertThatThrownBy(this::start).hasMessage("another server listens on the socket " + socket);
        assertThat(ask()).startsWith("HTTP/1.1 200");
    }

    @Test
    void otherFile_inPlaceOfSocket_isNotReplaced() throws Exception {
        Path precious = Files.writeString(folder.resolve("precious"), "data");
        for (Path existing : List.of(
                Files.writeString(folder.resolve("file"), "data"),
                Files.createSymbolicLink(folder.resolve("link"), precious),
                Files.createDirectory(folder.resolve("directory")))) {
            socket = existing;
            assertThatThrownBy(this::start).hasMessageContaining(existing + " exists and is not a socket");
        }
        assertThat(folder.resolve("file")).hasContent("data");
        assertThat(precious).hasContent("data");
    }

    @Test
    void folder_missing_isNamed() {
        socket = folder.resolve("none/sluice.sock");

        assertThatThrownBy(this::start).hasMessageContaining("cannot create the socket " + socket);
    }
}
