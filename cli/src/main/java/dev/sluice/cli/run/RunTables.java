package dev.sluice.cli.run;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.runtime.local.ApplicationResult;
import dev.sluice.runtime.local.RunResult;
import dev.sluice.runtime.local.TaskResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * Prints the result of a run: tables of applications and load classes, and the failed applications.
 */
public final class RunTables {

    /** Maximum number of application rows without {@code --all}. */
    private static final int ROWS_MAX = 100;

    /** Maximum number of failed applications whose logs are shown. */
    private static final int LOGS_MAX = 5;

    private final RunResult result;
    private final List<LoadClassProgress> classes;
    private final Path logs;
    private final PrintWriter out;
    private final Style style;
    private final int failureLines;

    /**
     * Creates the tables.
     *
     * @param logs the log folder of the run
     * @param failureLines maximum number of log lines printed for a failed application; 0 if progress has printed them
     */
    public RunTables(
            RunResult result,
            List<LoadClassProgress> classes,
            Path logs,
            PrintWriter out,
            Style style,
            int failureLines) {
        this.result = result;
        this.classes = List.copyOf(classes);
        this.logs = logs;
        this.out = out;
        this.style = style;
        this.failureLines = failureLines;
    }

    /**
     * Prints the result as tables.
     *
     * @param all whether tables have no row limit
     */
    public void print(boolean all) {
        boolean partitions = result.applications().stream()
                        .map(ApplicationResult::partition)
                        .distinct()
                        .count()
                > 1;
        boolean failures = result.applications().stream().anyMatch(application -> application.firstFailure() != null);
        TextTable table = new TextTable(all ? Integer.MAX_VALUE : ROWS_MAX);
        if (partitions) {
            table.text("PARTITION");
        }
        table.text("APPLICATION")
                .text("STATE")
                .number("TASKS")
                .number("WAITED")
                .number("RAN")
                .text("EXIT CODES");
        if (failures) {
            table.text("FIRST FAILURE");
        }
        for (ApplicationResult application : result.applications()) {
            table.row(row(application, partitions, failures));
        }
        table.print(out, style, "");
        printClasses(all);
        printFailures();
        if (!result.stuck().isEmpty()) {
            out.println();
            out.println(style.bad("No further progress possible:"));
            result.stuck().stream().limit(ROWS_MAX).forEach(line -> out.println("  " + TextWidth.printable(line)));
        }
        out.println();
        out.println("Logs: " + logs);
    }

    private void printClasses(boolean all) {
        if (classes.isEmpty()) {
            return;
        }
        boolean partitions =
                classes.stream().map(LoadClassProgress::partition).distinct().count() > 1;
        TextTable table = new TextTable(all ? Integer.MAX_VALUE : ROWS_MAX);
        if (partitions) {
            table.text("PARTITION");
        }
        table.text("CLASS")
                .number("LOAD %")
                .number("ENTITLEMENT")
                .number("STARTED")
                .number("PEAK")
                .number("PEAK LOANED")
                .number("PREEMPTED");
        for (LoadClassProgress each : classes) {
            List<Cell> cells = new ArrayList<>();
            if (partitions) {
                cells.add(Cell.of(each.partition()));
            }
            cells.add(new Cell(each.path(), style::strong));
            cells.add(Cell.of(each.percent()));
            cells.add(Cell.of(each.entitlement()));
            cells.add(orDash(each.started()));
            cells.add(orDash(each.peakRunning()));
            cells.add(orDash(each.peakLoaned()));
            cells.add(orDash(each.preempted()));
            table.row(cells);
        }
        out.println();
        table.print(out, style, "");
    }

    private static Cell orDash(long number) {
        return number == 0 ? Cell.of("-") : Cell.of(number);
    }

    private List<Cell> row(ApplicationResult application, boolean partitions, boolean failures) {
        List<Cell> cells = new ArrayList<>();
        if (partitions) {
            cells.add(Cell.of(application.partition()));
        }
        cells.add(new Cell(application.application(), style::strong));
        cells.add(new Cell(application.state().wireName(), emphasis(application.state())));
        cells.add(Cell.of(application.succeeded() + "/" + application.tasks()));
        cells.add(Cell.of(RunDurations.between(application.submitted(), application.firstPlaced())));
        cells.add(Cell.of(RunDurations.between(application.firstPlaced(), application.lastEnded())));
        cells.add(Cell.of(exitCodes(application)));
        if (failures) {
            TaskResult failure = application.firstFailure();
            cells.add(Cell.of(failure == null ? "" : shortened(failure.log())));
        }
        return cells;
    }

    /** Returns a log path relative to the log folder, which is printed below the table. */
    private String shortened(Path log) {
        return log.startsWith(logs) ? logs.relativize(log).toString() : log.toString();
    }

    private UnaryOperator<String> emphasis(ApplicationState state) {
        return switch (state) {
            case COMPLETED -> style::good;
            case FAILED, REJECTED -> style::bad;
            case NEW, ACCEPTED, STARTING, RUNNING, COMPLETING, FAILING, EXPIRED, RESUMING -> UnaryOperator.identity();
        };
    }

    /** Returns exit codes with counts above 1, such as {@code 0 ×4, 1}. */
    private static String exitCodes(ApplicationResult application) {
        StringJoiner codes = new StringJoiner(", ");
        application.exitCodes().forEach((code, count) -> codes.add(code + (count == 1 ? "" : " ×" + count)));
        return application.exitCodes().isEmpty() ? "-" : codes.toString();
    }

    private void printFailures() {
        int shown = 0;
        int more = 0;
        for (ApplicationResult application : result.applications()) {
            TaskResult failure = application.firstFailure();
            boolean unsuccessful = failure != null
                    || application.state() == ApplicationState.REJECTED
                    || (!application.reason().isEmpty() && !result.interrupted());
            if (!unsuccessful) {
                continue;
            }
            if (shown == LOGS_MAX) {
                more++;
                continue;
            }
            shown++;
            out.println();
            String name = style.bad(TextWidth.printable(application.application()));
            if (failure == null) {
                String verb = (application.state() == ApplicationState.REJECTED ? "was " : "")
                        + application.state().wireName().toLowerCase(Locale.ROOT);
                out.println(name + " " + verb + ": " + TextWidth.printable(application.reason()));
            } else {
                String again = failure.attempts() > 1 ? " after " + failure.attempts() + " attempts" : "";
                out.println(name + ": task " + TextWidth.printable(failure.task()) + " failed" + again + ": "
                        + TextWidth.printable(failure.detail()));
                out.println(style.faint("  " + failure.log()));
                LogTail.of(failure.log(), failureLines, style).forEach(out::println);
            }
        }
        if (more > 0) {
            out.println();
            out.println("… and " + more + " more that did not complete");
        }
    }
}
