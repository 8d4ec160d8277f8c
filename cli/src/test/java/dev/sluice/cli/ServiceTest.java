package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.runtime.file.UserFolders;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server as a service of systemd. */
@ProgramTest
@Timeout(120)
final class ServiceTest {

    private static final Path UNIT = Program.REPOSITORY.resolve("packaging/sluice.service");

    /** Prints the sender and the text of each datagram of a new socket as a line; Java has no such sockets. */
    private static final String RECEIVER = """
            import array, os, socket, struct, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind(sys.argv[1])
            s.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            print('bound', flush=True)
            while True:
                text, others, _, _ = s.recvmsg(4096, 4096)
                kinds = {kind: data for _, kind, data in others}
                for fd in array.array('i', kinds.get(socket.SCM_RIGHTS, b'')):
                    os.close(fd)
                print('from', struct.unpack('iii', kinds[socket.SCM_CREDENTIALS])[0], text.decode().replace('\\n', ';'), flush=True)
            """;

    @TempDir
    private Path directory;

    private static void assumeInstalled(String program) {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program))),
                program + " is not installed");
    }

    private static String awaitLine(BufferedReader lines, String content) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains(content)) {
                return line;
            }
        }
        throw new AssertionError("ended without " + content);
    }

    /** The server is stopped at the moment at which it is ready. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Tag("slow")
    void server_ofService_reportsReadyAndStopping() throws Exception {
        assumeInstalled("systemd-notify");
        assumeInstalled("python3");
        Path socket = directory.resolve("notify");
        Process receiver = new ProcessBuilder("python3", "-c", RECEIVER, socket.toString()).start();
        try (BufferedReader messages = receiver.inputReader(StandardCharsets.UTF_8)) {
            assertThat(messages.readLine()).isEqualTo("bound");
            ProcessBuilder builder = PackagedProgram.process(
                    "serve",
                    "--no-node",
                    "--port",
                    "0",
                    "--data",
                    directory.resolve("data").toString());
            builder.environment().put("NOTIFY_SOCKET", socket.toString());
            Process server = builder.redirectErrorStream(true)
                    .redirectOutput(directory.resolve("out").toFile())
                    .start();
            try {
                String ready = awaitLine(messages, "READY=1");
                assertThat(ready).contains("STATUS=listening on port ");
                if (UserFolders.isRoot()) { // only root can send in the name of another process
                    assertThat(ready).startsWith("from " + server.pid() + " ");
                }
                server.destroy();
                awaitLine(messages, "STOPPING=1");
                assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(server.exitValue()).isZero();
            } finally {
                server.destroyForcibly().waitFor();
            }
        } finally {
            receiver.destroyForcibly().waitFor();
        }
    }

    @Test
    void unit_verified_hasNoFaults() throws Exception {
        assumeInstalled("systemd-analyze");
        Path unit = directory.resolve("sluice.service");
        Files.writeString(
                unit,
                Files.readString(UNIT)
                        .replace("/usr/bin/sluice", "/bin/true")
                        .replace("DelegateSubgroup=sluice-server\n", "")); // systemd before 254 ignores and reports it

        Process verify = new ProcessBuilder(List.of("systemd-analyze", "verify", "--man=no", unit.toString()))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(verify.waitFor()).isZero();
    }

    @Test
    void unit_started_listensOnSocketThatCommandsFind() throws IOException {
        assertThat(UNIT)
                .content()
                .contains(
                        " --socket /run/sluice/sluice.sock ", "\nRuntimeDirectory=sluice\nRuntimeDirectoryMode=0755\n");
    }

    /** Tasks are in the control group of the service, and could name another main process or have it restarted. */
    @Test
    void unit_running_takesNoMessagesOfTasks() throws IOException {
        assertThat(UNIT).content().contains("\nNotifyAccess=main\n");
    }

    @Test
    void unit_stopped_keepsTasks() throws IOException {
        assertThat(UNIT)
                .content()
                .contains(
                        "\nKillMode=process\n",
                        "\nOOMPolicy=continue\n",
                        "\nDelegate=yes\nDelegateSubgroup=sluice-server\n");
    }
}
