package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server as a service of systemd. */
@ProgramTest
@Timeout(120)
final class ServiceTest {

    private static final Path UNIT = Program.REPOSITORY.resolve("packaging/sluice.service");

    /** Prints each datagram of a new socket as a line; Java has no such sockets. */
    private static final String RECEIVER = """
            use Socket; $| = 1;
            socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, pack_sockaddr_un($ARGV[0])) or die;
            print "bound\\n";
            while (defined recv($s, my $m, 4096, 0)) { $m =~ s/\\n/;/g; print "$m\\n"; }
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
    void server_ofService_reportsReadyAndStopping() throws Exception {
        assumeInstalled("systemd-notify");
        assumeInstalled("perl");
        Path socket = directory.resolve("notify");
        Process receiver = new ProcessBuilder("perl", "-e", RECEIVER, socket.toString()).start();
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
                assertThat(awaitLine(messages, "READY=1")).contains("STATUS=listening on port ");
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
    void unit_stopped_keepsTasks() throws IOException {
        assertThat(UNIT)
                .content()
                .contains(
                        "\nKillMode=process\n",
                        "\nOOMPolicy=continue\n",
                        "\nDelegate=yes\nDelegateSubgroup=sluice-server\n");
    }
}
