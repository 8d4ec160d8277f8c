package dev.sluice.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClientTokenTest {

    @TempDir
    Path directory;

    private final List<String> warnings = new ArrayList<>();

    private Path file(String name, String content) throws Exception {
        Path file = Files.writeString(directory.resolve(name), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private @Nullable String token(@Nullable Path option, @Nullable Path context, String server, String variable) {
        return ClientToken.of(
                option,
                new Target(URI.create(server), "default", context, null),
                Map.of("SLUICE_TOKEN", variable),
                warnings::add);
    }

    @Test
    void token_namedSeveralTimes_mostSpecificWins() throws Exception {
        Path option = file("option", "slc_option\n");
        Path context = file("context", "slc_context");
        String server = "https://lab:7450";

        assertThat(token(option, context, server, "slc_variable")).isEqualTo("slc_option");
        assertThat(token(null, context, server, "slc_variable")).isEqualTo("slc_context");
        assertThat(token(null, null, server, "slc_variable")).isEqualTo("slc_variable");
        assertThat(token(null, null, server, "")).isNull();
        assertThat(warnings).isEmpty();
    }

    @Test
    void token_overHttp_isSentToLoopbackOnly() {
        for (String server : List.of(
                "http://127.0.0.1:7450", "http://127.9.9.9", "http://localhost:1", "http://[::1]:1", "https://lab")) {
            assertThat(token(null, null, server, "slc_a")).isEqualTo("slc_a");
        }
        for (String server : List.of("http://lab:7450", "http://127.0.0.1.example.org", "http://10.0.0.1")) {
            assertThatThrownBy(() -> token(null, null, server, "slc_a"))
                    .hasMessage("the access token is not sent to " + server + " unencrypted: use an https address");
        }
    }

    @Test
    void file_readableByOthers_isWarnedAbout() throws Exception {
        Path file = file("token", "slc_a");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThat(token(file, null, "https://lab", "")).isEqualTo("slc_a");
        assertThat(warnings)
                .containsExactly("other users can read the access token in " + file + ": run chmod 600 " + file);
    }

    @Test
    void token_malformed_isNotPrinted() throws Exception {
        Path lines = file("lines", "slc_a\r\nslc_b\n");
        Path large = file("large", "a".repeat(20_000));
        Path binary = directory.resolve("binary");
        Files.write(binary, new byte[] {(byte) 0xff});

        assertThatThrownBy(() -> token(lines, null, "https://lab", ""))
                .hasMessage(lines + " does not contain an access token: create one with sluice token create");
        assertThatThrownBy(() -> token(binary, null, "https://lab", "")).hasMessageContaining("does not contain");
        assertThatThrownBy(() -> token(large, null, "https://lab", "")).hasMessageContaining("too large");
        assertThatThrownBy(() -> token(null, null, "https://lab", "slc_ü"))
                .hasMessage("SLUICE_TOKEN does not contain an access token: create one with sluice token create");
        assertThatThrownBy(() -> token(directory.resolve("none"), null, "https://lab", ""))
                .hasMessage(
                        "cannot read the access token: " + directory.resolve("none") + ": no such file or directory");
    }
}
