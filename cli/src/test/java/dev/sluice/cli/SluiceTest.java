package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class SluiceTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        CommandLine commandLine = Sluice.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }

    @Test
    void version_isAsked_isPrinted() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString()).startsWith("sluice ").contains("Java " + Runtime.version());
    }

    @Test
    void help_isAskedOrNothingIs_isPrinted() {
        assertThat(execute("--help")).isZero();
        String help = out.toString();
        assertThat(execute()).isZero();
        assertThat(out).hasToString(help + help);
        assertThat(help).startsWith("Usage: sluice");
    }

    @Test
    void option_unknown_exits2AndSaysWhich() {
        assertThat(execute("--unknown")).isEqualTo(2);
        assertThat(err.toString()).contains("--unknown");
        assertThat(out.toString()).isEmpty();
    }
}
