package dev.sluice.cli;

import dev.sluice.cli.terminal.ColorChoice;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TerminalStreams;
import picocli.CommandLine.Option;

/** The option about colours that all commands share. */
class ColorOptions {

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            defaultValue = "auto",
            converter = ColorChoice.ColorConverter.class,
            completionCandidates = ColorChoice.ColorNames.class,
            description = "Colours: auto (on a terminal, unless NO_COLOR is set), always or never. Default: auto.")
    private ColorChoice color = ColorChoice.AUTO;

    /** How to emphasise on standard output. */
    final Style style() {
        return Style.of(color.isOn(TerminalStreams.isOutputTerminal()));
    }

    /** How to emphasise on standard error. */
    final Style errorStyle() {
        return Style.of(color.isOn(TerminalStreams.isErrorTerminal()));
    }
}
