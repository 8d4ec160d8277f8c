package dev.sluice.cli;

import dev.sluice.cli.terminal.ColorChoice;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TerminalStreams;
import picocli.CommandLine.Option;

/** The color option, shared by all commands. */
class ColorOptions {

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            converter = ColorChoice.ColorConverter.class,
            completionCandidates = ColorChoice.ColorNames.class,
            description = "Colors: auto (on a terminal, unless NO_COLOR is set), always or never. Default: auto.")
    private ColorChoice color = ColorChoice.AUTO;

    /** Style of standard output. */
    final Style style() {
        return Style.of(color.isOn(TerminalStreams.isOutputTerminal()));
    }

    /** Style of standard error. */
    final Style errorStyle() {
        return Style.of(color.isOn(TerminalStreams.isErrorTerminal()));
    }
}
