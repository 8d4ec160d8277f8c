package dev.sluice.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Output options of reports of a server's history. */
final class ReportOptions extends ColorOptions {

    /** Output format of a report. */
    enum ReportFormat {
        TABLE,
        CSV,
        JSON
    }

    /** Names of the formats, for help and completion. */
    static final class FormatNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("table", "csv", "json").iterator();
        }
    }

    /** Parses a format. */
    static final class FormatConverter implements ITypeConverter<ReportFormat> {
        @Override
        public ReportFormat convert(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "table" -> ReportFormat.TABLE;
                case "csv" -> ReportFormat.CSV;
                case "json" -> ReportFormat.JSON;
                default -> throw new TypeConversionException("expected table, csv or json, not '" + word + "'");
            };
        }
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = FormatConverter.class,
            completionCandidates = FormatNames.class,
            description = "Output format: table, csv or json. Default: table.")
    private ReportFormat format = ReportFormat.TABLE;

    ReportFormat format() {
        return format;
    }
}
