package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Secrets on the command line. */
final class ExportOptionsTest {

    private static final Map<String, String> ENVIRONMENT = Map.of("A", "hunter2 &=", "B", "b", "EMPTY", "");

    @CommandLine.Command(name = "run")
    private record Holder(@CommandLine.Mixin ExportOptions options) {}

    private static ExportOptions options(String... arguments) {
        ExportOptions options = new ExportOptions();
        new CommandLine(new Holder(options)).parseArgs(arguments);
        return options;
    }

    @Test
    void secrets_areNamesOfVariables() {
        assertThat(options("--secret", "A,B").secrets(ENVIRONMENT)).isEqualTo(Map.of("A", "hunter2 &=", "B", "b"));
        assertThat(options().given()).isNull();
        assertThat(options("--secret", "A").given()).isEqualTo("--secret");
        assertThat(options("--export", "A").given()).isEqualTo("--export");
        assertThatThrownBy(() -> options("--secret", "EMPTY").secrets(ENVIRONMENT))
                .hasMessage("environment variable EMPTY is not set: set it to the secret");
    }

    @Test
    void secretsTooLongForRequest_areNamedWithoutValue() {
        TreeMap<String, String> secrets = new TreeMap<>(Map.of("A", "hunter2 &="));
        assertThat(ExportOptions.encodedSecrets(secrets, "x".repeat(5_900))).isEqualTo("A=hunter2+%26%3D");
        assertThat(ExportOptions.encodedSecrets(new TreeMap<>(), "x".repeat(6_000)))
                .isEmpty();
        assertThatThrownBy(() -> ExportOptions.encodedSecrets(secrets, "x".repeat(5_990)))
                .hasMessage("the secrets A are too long for a request: write them to secrets in the file");
    }
}
