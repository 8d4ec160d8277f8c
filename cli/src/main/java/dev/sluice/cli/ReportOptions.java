package dev.sluice.cli;

import picocli.CommandLine.Option;

/** Output options of reports of a server's history. */
final class ReportOptions extends ColorOptions {

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputFormat.ReportFormatConverter.class,
            completionCandidates = OutputFormat.ReportFormatNames.class,
            description = "Output format: table, csv or json. Default: table.")
    private OutputFormat format = OutputFormat.TABLE;

    OutputFormat format() {
        return format;
    }
}
