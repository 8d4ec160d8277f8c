package dev.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TargetTest {

    @TempDir
    Path directory;

    private Path file() throws Exception {
        Path file = directory.resolve("context.yaml");
        Files.writeString(file, """
                current: lab
                contexts:
                  - {name: lab, server: "http://lab:7450/", partition: gpu}
                  - {name: farm, server: farm:1}
                """);
        return file;
    }

    private static Target target(
            @Nullable String server, @Nullable String partition, @Nullable String context, String variable, Path file) {
        return Target.of(server, partition, context, Map.of("SLUICE_SERVER", variable), file);
    }

    @Test
    void server_namedSeveralTimes_mostExplicitWins() throws Exception {
        Path file = file();

        assertThat(target("http://a:1", null, "farm", "http://b:2", file))
                .isEqualTo(new Target(URI.create("http://a:1"), "default", null));
        assertThat(target(null, null, "lab", "http://b:2", file))
                .isEqualTo(new Target(URI.create("http://lab:7450"), "gpu", null));
        assertThat(target(null, "p", null, "http://b:2", file))
                .isEqualTo(new Target(URI.create("http://b:2"), "p", null));
        assertThat(target(null, null, null, "", file))
                .isEqualTo(new Target(URI.create("http://lab:7450"), "gpu", null));
        assertThat(target(null, "p", "farm", "", file)).isEqualTo(new Target(URI.create("http://farm:1"), "p", null));
        assertThat(target(null, null, null, "", directory.resolve("none")))
                .isEqualTo(new Target(URI.create("http://127.0.0.1:7450"), "default", null));
    }

    @Test
    void file_isWhereTheEnvironmentHasIt() {
        assertThat(Contexts.file(Map.of(), "/home/a")).isEqualTo(Path.of("/home/a/.config/sluice/context.yaml"));
        assertThat(Contexts.file(Map.of("SLUICE_CONTEXT", "/x.yaml"), "/home/a"))
                .isEqualTo(Path.of("/x.yaml"));
    }

    @Test
    void address_invalid_isBadInput() throws Exception {
        for (String wrong : new String[] {"ftp://x", "http://", "http://a b", "http://x?y=1"}) {
            assertThatThrownBy(() -> Target.address(wrong, "--server"))
                    .as(wrong)
                    .isInstanceOf(ClientException.class)
                    .hasMessageContaining("is not a server address");
        }
        Path file = file();
        assertThatThrownBy(() -> target(null, null, "moon", "", file))
                .hasMessage("context moon not found: known contexts are lab, farm");
    }

    @Test
    void contexts_invalid_areReportedWithPosition() throws Exception {
        Path file = directory.resolve("context.yaml");
        Files.writeString(file, "current: moon\ncontexts:\n  - {name: a, servr: x}\n");

        assertThatThrownBy(() -> Contexts.read(file))
                .isInstanceOf(ClientException.class)
                .hasMessageContaining(file + ":3:")
                .hasMessageContaining("servr");
    }
}
