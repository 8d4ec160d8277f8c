package dev.sluice.server.page;

import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * When runs of tasks waited and ran, as a drawing: a row for each run, from the submission to now or the last end.
 *
 * @param bars the parts of the rows
 * @param rows the tasks of the rows
 */
public record Timeline(Instant from, Instant to, List<Row> rows, List<Part> bars) {

    /** Maximum number of rows. */
    private static final int ROWS_MAX = 40;

    /** The height of a row. */
    private static final int ROW = 18;

    /** The task of a row. */
    public record Row(String task, int y) {}

    /**
     * A part of a row.
     *
     * @param x where it begins, of 1000
     * @param style what it means: waiting, running, or the outcome of the run
     * @param label what it means, in words
     */
    public record Part(String x, String width, int y, String style, String label) {}

    /** Returns the drawing of runs that have been allocated. */
    static Timeline of(ApplicationView application, List<TaskView> tasks, Instant now) {
        List<TaskView> runs = tasks.stream()
                .filter(task -> task.placed() != null)
                .limit(ROWS_MAX)
                .toList();
        Instant from = application.submitted();
        Instant to = runs.stream()
                .map(run -> run.ended() == null ? now : run.ended())
                .max(Instant::compareTo)
                .orElse(now);
        List<Row> rows = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        for (TaskView run : runs) {
            int y = rows.size() * ROW;
            rows.add(new Row(run.id() + (run.attempt() > 1 ? " (run " + run.attempt() + ")" : ""), y));
            Instant placed = run.placed();
            Instant end = run.ended() == null ? to : run.ended();
            if (placed != null) {
                if (run.attempt() == 1) {
                    add(parts, from, to, from, placed, y, "waiting", run.id() + " waited");
                }
                String outcome = run.ended() == null ? "running" : outcome(run.outcome(), run.state());
                add(parts, from, to, placed, end, y, outcome, run.id() + " " + outcome);
            }
        }
        return new Timeline(from, to, rows, parts);
    }

    private static String outcome(@Nullable String outcome, String state) {
        return outcome == null ? state : outcome;
    }

    private static void add(
            List<Part> parts, Instant from, Instant to, Instant begin, Instant end, int y, String style, String label) {
        double whole = Math.max(1, Duration.between(from, to).toMillis());
        double x = 1000 * Duration.between(from, begin).toMillis() / whole;
        double width = Math.max(2, 1000 * Duration.between(begin, end).toMillis() / whole);
        parts.add(new Part(
                text(x), text(width), y, style, label + ", " + Figures.duration(Duration.between(begin, end))));
    }

    private static String text(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    /** Returns the height of the drawing. */
    public int height() {
        return Math.max(1, rows.size() * ROW);
    }
}
