package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that query a server start fast because they do not load the classes of the server. */
@ProgramTest
@Tag("slow")
final class ClientStartTest {

    @TempDir
    Path directory;

    @Test
    void list_ofAServer_loadsNoServerClasses() throws Exception {
        try (TestServer server = TestServer.withNode(directory.resolve("server"))) {
            Path classes = directory.resolve("classes");
            Process process = PackagedProgram.process(
                            List.of("-Xlog:class+load:file=" + classes), "list", "--server", server.address())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("out").toFile())
                    .start();

            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(Files.readString(classes))
                    .contains("dev.sluice.cli.ListCommand")
                    .doesNotContain("org.eclipse.jetty", "org.sqlite", "ch.qos.logback");
        }
    }
}
