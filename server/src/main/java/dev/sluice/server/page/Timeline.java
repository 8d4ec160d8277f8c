package dev.sluice.server.page;

import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.PastWaitView;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When runs of tasks waited and ran, as a drawing: a row for each run, from the submission to now or the last end.
 *
 * @param rows the labels of the rows: the task, and which of its runs
 * @param bars the parts of the rows
 */
public record Timeline(Instant from, Instant to, List<String> rows, List<Part> bars) {

    /** Maximum number of rows. */
    private static final int ROWS_MAX = 40;

    private static final Set<String> WAITING = Set.of("waiting", "pending", "reserved");

    /** What is not drawn as a failure. */
    private static final Set<String> KNOWN = Set.of("waiting", "running", "succeeded");

    /** Number of times below the drawing. */
    private static final int TICKS = 5;

    /** The height of a row. */
    private static final int ROW = 18;

    /**
     * A part of a row.
     *
     * @param x where it begins, of 1000
     * @param y where its row begins
     * @param style what it means: waiting, running, or the outcome of the run
     * @param label what it means, in words
     */
    public record Part(String x, String width, int y, String style, String label) {

        /** Returns whether the run ended without success. */
        public boolean isFailed() {
            return !KNOWN.contains(style);
        }

        /** Returns the distance from the top of the drawing. Waits are thin, so colour is not the only difference. */
        public int top() {
            return style.equals("waiting") ? y + 7 : y + 2;
        }

        /** Returns the height of the part. */
        public int height() {
            return style.equals("waiting") ? 4 : 14;
        }
    }

    /** The run of a task with a number. */
    private record RunKey(String task, int attempt) {}

    /**
     * Returns the drawing of runs that have been allocated, of the waits before them, and of the tasks that wait now.
     *
     * @param why why tasks wait now, or null if none does
     * @param past why the application waited, latest first
     */
    static Timeline of(
            ApplicationView application,
            List<TaskView> tasks,
            @Nullable WhyView why,
            List<PastWaitView> past,
            Instant now) {
        List<TaskView> shown = tasks.stream()
                .filter(task -> task.placed() != null || WAITING.contains(task.state()))
                .limit(ROWS_MAX)
                .toList();
        Map<RunKey, TaskView> ended = new HashMap<>();
        tasks.stream().filter(task -> task.ended() != null).forEach(task -> ended.put(key(task, 0), task));
        Instant from = application.submitted();
        Instant to = shown.stream()
                .map(run -> run.ended() == null ? now : run.ended())
                .max(Instant::compareTo)
                .orElse(now);
        List<String> rows = new ArrayList<>();
        List<Part> parts = new ArrayList<>();
        for (TaskView run : shown) {
            int y = rows.size() * ROW;
            Instant placed = run.placed();
            TaskView before = ended.get(key(run, placed == null ? 0 : -1));
            Instant waits = before == null || before.ended() == null ? from : before.ended();
            String again = before == null ? " waited" : " waited again, after it was " + outcomeOf(before);
            rows.add(run.id() + (run.attempt() > 1 ? " (run " + run.attempt() + ")" : ""));
            if (placed == null || run.attempt() <= 1 || before != null) {
                String reason = placed == null ? reason(run, why) : "";
                for (WaitSegment segment : WaitSegment.of(waits, placed == null ? to : placed, past, reason)) {
                    add(parts, from, to, segment.from(), segment.to(), y, "waiting", run.id() + again + segment.text());
                }
            }
            if (placed == null) {
                continue;
            }
            String outcome = run.ended() == null ? "running" : outcome(run.outcome(), run.state());
            add(
                    parts,
                    from,
                    to,
                    placed,
                    run.ended() == null ? to : run.ended(),
                    y,
                    outcome,
                    run.id() + " " + (run.ended() == null ? "running" : outcomeOf(run)));
        }
        return new Timeline(from, to, rows, parts);
    }

    private static RunKey key(TaskView task, int offset) {
        return new RunKey(task.id(), task.attempt() + offset);
    }

    private static String outcomeOf(TaskView run) {
        return outcome(run.outcome(), run.state())
                + (run.preemptedFor() == null ? "" : ", " + run.preemptedFor().inWords())
                + (run.detail() == null || run.detail().isEmpty() ? "" : " (" + run.detail() + ")");
    }

    /** Returns why a task waits now, as far as reasons name it; empty if none does. */
    private static String reason(TaskView task, @Nullable WhyView why) {
        if (why == null) {
            return "";
        }
        return why.reasons().stream()
                .filter(reason -> why.reasons().size() == 1 || reason.names().contains(task.id()))
                .findFirst()
                .map(WaitView::detail)
                .orElse("");
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

    /** Returns the times since the beginning that the axis shows, in equal steps from 0 to the end. */
    public List<String> ticks() {
        Duration whole = Duration.between(from, to);
        List<String> ticks = new ArrayList<>();
        for (int tick = 0; tick < TICKS; tick++) {
            ticks.add(Figures.elapsed(whole.multipliedBy(tick).dividedBy(TICKS - 1)));
        }
        return ticks;
    }

    /** Returns the height of the drawing. */
    public int height() {
        return Math.max(1, rows.size() * ROW);
    }
}
