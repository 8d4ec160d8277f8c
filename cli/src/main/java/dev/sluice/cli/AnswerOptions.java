package dev.sluice.cli;

import picocli.CommandLine.Option;

/** Output options of commands that query a server. */
final class AnswerOptions extends ColorOptions {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputFormat.AnswerFormatConverter.class,
            completionCandidates = OutputFormat.AnswerFormatNames.class,
            description = "Output format: table, json or yaml. Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    OutputFormat format() {
        return format;
    }

    boolean isTable() {
        return format == OutputFormat.TABLE;
    }
}
