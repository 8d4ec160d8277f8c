package dev.sluice.cli;

import dev.sluice.cli.answer.RecordPrinter;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.Pages;
import dev.sluice.cli.client.ServerClient;
import java.io.PrintWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of commands that list records of a server's history: how many, from when, and in which format. */
final class RecordListOptions {

    private static final int PAGE = 1000;

    @Mixin
    private ReportOptions output = new ReportOptions();

    @Mixin
    private IntervalOptions interval = new IntervalOptions();

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Maximum number of results. Default: 1000 in a table, else no limit.")
    private @Nullable Long limit;

    /** Returns an option that has no effect where nothing is listed, if it was given; else null. */
    @Nullable String given() {
        return limit != null ? "--limit" : output.format() != ReportOptions.ReportFormat.TABLE ? "--output" : null;
    }

    /** Adds the interval to a path; throws {@link UserException} if an option is invalid. */
    ApiPath within(ApiPath path) {
        OptionValues.requireAtLeast(1, "--limit", limit);
        IntervalOptions.Interval times = interval.interval(Instant.now());
        return path.with("from", times.from()).with("to", times.to());
    }

    /** Prints the records of a paginated list. */
    void print(ServerClient client, ApiPath path, RecordPrinter.Kind<?> kind, PrintWriter out) {
        RecordPrinter printer = switch (output.format()) {
            case CSV -> RecordPrinter.csv(out, kind);
            case JSON -> RecordPrinter.json(out);
            case TABLE -> RecordPrinter.table(out, output.style(), kind);
        };
        boolean isTable = output.format() == ReportOptions.ReportFormat.TABLE;
        long most = limit != null ? limit : isTable ? PAGE : Long.MAX_VALUE;
        printer.end(Pages.each(client, path, "before", null, PAGE, most, printer::add));
        out.flush();
    }
}
