package dev.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TargetTest {

    @TempDir
    Path directory;

    private List<Path> sockets = List.of();

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

    private Target target(
            @Nullable String server, @Nullable String partition, @Nullable String context, String variable, Path file) {
        return Target.of(server, partition, context, Map.of("SLUICE_SERVER", variable), file, sockets);
    }

    @Test
    void server_namedSeveralTimes_mostExplicitWins() throws Exception {
        Path file = file();

        assertThat(target("http://a:1", null, "farm", "http://b:2", file))
                .isEqualTo(new Target(URI.create("http://a:1"), "default", null, null));
        assertThat(target(null, null, "lab", "http://b:2", file))
                .isEqualTo(new Target(URI.create("http://lab:7450"), "gpu", null, null));
        assertThat(target(null, "p", null, "http://b:2", file))
                .isEqualTo(new Target(URI.create("http://b:2"), "p", null, null));
        assertThat(target(null, null, null, "", file))
                .isEqualTo(new Target(URI.create("http://lab:7450"), "gpu", null, null));
        assertThat(target(null, "p", "farm", "", file))
                .isEqualTo(new Target(URI.create("http://farm:1"), "p", null, null));
        assertThat(target(null, null, null, "", directory.resolve("none")))
                .isEqualTo(new Target(URI.create("http://127.0.0.1:7450"), "default", null, null));
    }

    @Test
    void socket_ofServerHere_isDefault() throws Exception {
        Path none = directory.resolve("none");
        Path existing = Files.createFile(directory.resolve("my socket"));
        sockets = List.of(none, existing, Files.createFile(directory.resolve("other")));

        assertThat(target(null, null, null, "", none).server().getSchemeSpecificPart())
                .isEqualTo(existing.toString());
        assertThat(target(null, null, null, "", file()).server()).isEqualTo(URI.create("http://lab:7450"));
        sockets = List.of(none);
        assertThat(target(null, null, null, "", none).server()).isEqualTo(URI.create(Target.DEFAULT));
    }

    @Test
    void socket_ofAnotherUserInTheCurrentFolder_isIgnored() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can create files of others");
        Path planted = Files.createFile(directory.resolve("planted"));
        Files.setAttribute(planted, "unix:uid", 65534);

        sockets = List.of(Path.of("").toAbsolutePath().relativize(planted));
        assertThat(target(null, null, null, "", directory.resolve("none")).server())
                .isEqualTo(URI.create(Target.DEFAULT));
        sockets = List.of(planted);
        assertThat(target(null, null, null, "", directory.resolve("none"))
                        .server()
                        .getScheme())
                .isEqualTo("unix");
    }

    @Test
    void address_ofSocket_isItsPath() {
        for (String path : List.of("/run/sluice/sluice.sock", "a b/%20ä", ".sluice/server/sluice.sock")) {
            assertThat(ServerConnection.socketPath(Target.address("unix:" + path, "--server")))
                    .isEqualTo(path);
        }
        assertThat(Target.address("unix:///run/s", "--server")).hasToString("unix:/run/s");
        for (String wrong : List.of("unix:", "unix://", "unix:/" + "x".repeat(107))) {
            assertThatThrownBy(() -> Target.address(wrong, "--server"))
                    .isInstanceOf(ClientException.class)
                    .hasMessage("--server: the path of a socket must have 1 to 107 bytes");
        }
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
