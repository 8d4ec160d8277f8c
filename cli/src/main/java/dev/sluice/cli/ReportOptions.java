package dev.sluice.cli;

import dev.sluice.cli.answer.RecordPrinter;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.Pages;
import dev.sluice.cli.client.ServerClient;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Output options of reports of a server's history. */
final class ReportOptions extends ColorOptions {

    private static final int PAGE = 1000;

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

    /**
     * Prints the records of a paginated list in this format.
     *
     * @param limit the maximum number of records, or null for the default
     */
    void print(ServerClient client, ApiPath path, RecordPrinter.Kind<?> kind, @Nullable Long limit, PrintWriter out) {
        RecordPrinter printer = switch (format) {
            case CSV -> RecordPrinter.csv(out, kind);
            case JSON -> RecordPrinter.json(out);
            case TABLE -> RecordPrinter.table(out, style(), kind);
        };
        long most = limit != null ? limit : format == ReportFormat.TABLE ? PAGE : Long.MAX_VALUE;
        printer.end(Pages.each(client, path, "before", null, PAGE, most, printer::add));
        out.flush();
    }
}
