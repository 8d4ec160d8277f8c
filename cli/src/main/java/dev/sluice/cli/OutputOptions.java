package dev.sluice.cli;

import picocli.CommandLine.Option;

/** Output options of commands that do not query a server. */
final class OutputOptions extends ColorOptions {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputFormat.FormatConverter.class,
            completionCandidates = OutputFormat.FormatNames.class,
            description = "Output format: table or json. Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    boolean isJson() {
        return format == OutputFormat.JSON;
    }
}
