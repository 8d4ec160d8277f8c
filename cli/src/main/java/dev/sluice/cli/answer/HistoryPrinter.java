package dev.sluice.cli.answer;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.server.api.FinishedView;
import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Prints ended applications one by one; only a table keeps them. */
public interface HistoryPrinter {

    /** Prints the next application. */
    void add(JsonNode application);

    /**
     * Ends the output.
     *
     * @param next where the next page begins, or null if there are no more applications
     */
    void end(@Nullable String next);

    /** Returns a printer of comma-separated values, with a header. */
    static HistoryPrinter csv(PrintWriter out) {
        out.println(CsvLine.of(
                List.of("id", "name", "partition", "queue", "user", "state", "reason", "submitted", "ended")));
        return new HistoryPrinter() {
            @Override
            public void add(JsonNode application) {
                FinishedView view = ClientJson.value(application, FinishedView.class);
                out.println(CsvLine.of(List.of(
                        view.id(),
                        view.name(),
                        view.partition(),
                        text(view.queue()),
                        view.user(),
                        view.state(),
                        text(view.reason()),
                        view.submitted().toString(),
                        view.ended().toString())));
            }

            @Override
            public void end(@Nullable String next) {}
        };
    }

    /** Returns a printer of JSON: an object with a list {@code items} and, if there are more, {@code next}. */
    static HistoryPrinter json(PrintWriter out) {
        out.print("{\"items\": [");
        return new HistoryPrinter() {
            private String separator = "\n  ";

            @Override
            public void add(JsonNode application) {
                out.print(separator + application);
                separator = ",\n  ";
            }

            @Override
            public void end(@Nullable String next) {
                out.println("\n]" + (next == null ? "" : ", \"next\": " + next) + "}");
            }
        };
    }

    /** Returns a printer of a table. */
    static HistoryPrinter table(PrintWriter out, Style style) {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("ID")
                .text("NAME")
                .text("QUEUE")
                .text("USER")
                .text("STATE")
                .text("SUBMITTED")
                .text("ENDED");
        return new HistoryPrinter() {
            private boolean empty = true;

            @Override
            public void add(JsonNode application) {
                FinishedView view = ClientJson.value(application, FinishedView.class);
                empty = false;
                table.row(List.of(
                        Cell.of(view.id()),
                        Cell.of(view.name()),
                        Cell.of(text(view.queue())),
                        Cell.of(view.user()),
                        Cell.of(view.state()),
                        Cell.of(view.submitted().truncatedTo(ChronoUnit.SECONDS).toString()),
                        Cell.of(view.ended().truncatedTo(ChronoUnit.SECONDS).toString())));
            }

            @Override
            public void end(@Nullable String next) {
                if (empty) {
                    out.println("no applications");
                    return;
                }
                table.print(out, style, "");
                if (next != null) {
                    out.println(style.faint("… and more (raise --limit)"));
                }
            }
        };
    }

    private static String text(@Nullable String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
