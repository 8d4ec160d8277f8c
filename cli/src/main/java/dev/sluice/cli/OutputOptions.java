package dev.sluice.cli;

import picocli.CommandLine.Option;

/** The options about output that commands share. */
final class OutputOptions extends ColorOptions {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputFormat.FormatConverter.class,
            completionCandidates = OutputFormat.FormatNames.class,
            description = "How to write the result: table (for people) or json (for programs). Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    boolean isJson() {
        return format == OutputFormat.JSON;
    }
}
