package dev.sluice.cli;

import dev.sluice.cli.terminal.ColorChoice;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TerminalStreams;
import picocli.CommandLine.Option;

/** The options about output that commands share. */
final class OutputOptions {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputFormat.Converter.class,
            completionCandidates = OutputFormat.Words.class,
            description = "How to write the result: table (for people) or json (for programs). Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            converter = ColorChoice.Converter.class,
            completionCandidates = ColorChoice.Words.class,
            description = "Colours: auto (on a terminal, unless NO_COLOR is set), always or never. Default: auto.")
    private ColorChoice color = ColorChoice.AUTO;

    boolean isJson() {
        return format == OutputFormat.JSON;
    }

    /** How to emphasise on standard output. */
    Style style() {
        return Style.of(color.isOn(TerminalStreams.isOutputTerminal()));
    }

    /** How to emphasise on standard error. */
    Style errorStyle() {
        return Style.of(color.isOn(TerminalStreams.isErrorTerminal()));
    }
}
