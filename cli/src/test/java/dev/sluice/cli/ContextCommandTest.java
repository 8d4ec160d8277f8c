package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Program.ProgramResult;
import dev.sluice.cli.client.Contexts;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContextCommandTest {

    @TempDir
    Path directory;

    private ProgramResult context(String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "context";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 2] = "--file";
        all[all.length - 1] = file().toString();
        return Program.execute(all);
    }

    private Path file() {
        return directory.resolve("config/context.yaml");
    }

    @Test
    void contexts_areSetUsedListedAndRemoved() throws Exception {
        assertThat(context("list").out()).startsWith("no contexts in ");
        assertThat(context("set", "lab", "lab:7450").exitCode()).isZero();
        assertThat(context("set", "gpu", "http://127.0.0.1:7450/", "--partition", "gpu")
                        .exitCode())
                .isZero();
        assertThat(context("use", "gpu").exitCode()).isZero();

        assertThat(context("list").out()).isEqualTo("""
                   NAME  SERVER                 PARTITION
                   lab   http://lab:7450        -
                *  gpu   http://127.0.0.1:7450  gpu
                """);
        assertThat(Files.readString(file())).isEqualTo("""
                current: gpu
                contexts:
                  - {name: lab, server: http://lab:7450}
                  - {name: gpu, server: http://127.0.0.1:7450, partition: gpu}
                """);
        assertThat(context("remove", "gpu").exitCode()).isZero();
        assertThat(context("list").out()).contains("lab").doesNotContain("gpu").doesNotContain("*");
    }

    @Test
    void tokenFile_ofContext_isStoredAsAbsolutePath() throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "slc_a");
        String relative = Path.of("").toAbsolutePath().relativize(token).toString();
        assertThat(context("set", "lab", "https://lab:7450", "--token-file", relative)
                        .exitCode())
                .isZero();
        assertThat(Files.readString(file())).contains("token-file: " + token);
        assertThat(Contexts.read(file()).get("lab").tokenFile()).isEqualTo(token);

        Files.writeString(file(), "contexts: [{name: a, server: b, token-file: c}]\n");
        assertThat(context("list").err()).contains("the path of the token file must be absolute");
    }

    @Test
    void context_thatIsNotThere_isBadInput() {
        ProgramResult answer = context("use", "moon");

        assertThat(answer.exitCode()).isEqualTo(2);
        assertThat(answer.err()).isEqualTo("sluice: context moon not found: create one with sluice context set\n");
        assertThat(context("remove", "moon").exitCode()).isEqualTo(2);
        assertThat(context("set", "lab", "ftp://x").exitCode()).isEqualTo(2);
        assertThat(Program.execute("context").exitCode()).isEqualTo(2);
    }
}
