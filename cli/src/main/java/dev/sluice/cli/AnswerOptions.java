package dev.sluice.cli;

import picocli.CommandLine.Option;

/** The options about output of commands that ask a server. */
final class AnswerOptions extends ColorOptions {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputFormat.AnswerFormatConverter.class,
            completionCandidates = OutputFormat.AnswerFormatNames.class,
            description =
                    "How to write the answer: table (for people), json or yaml (as the server has it). Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    OutputFormat format() {
        return format;
    }

    boolean isTable() {
        return format == OutputFormat.TABLE;
    }
}
