package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.server.api.TaskView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Table of tasks and ended runs. */
public final class TaskTable {

    private final Style style;

    public TaskTable(Style style) {
        this.style = style;
    }

    /** Prints the tasks with their run time at {@code now}. */
    public void print(List<TaskView> tasks, Instant now, PrintWriter out) {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("TASK")
                .text("STATE")
                .number("RUN")
                .text("NODE")
                .text("STARTED")
                .number("RAN")
                .number("EXIT CODE")
                .text("DETAIL");
        for (TaskView task : tasks) {
            table.row(List.of(
                    new Cell(task.id(), style::strong),
                    new Cell(task.state(), emphasis(task.state())),
                    Cell.of(Texts.orDash(task.attempt())),
                    Cell.of(Texts.orDash(task.node())),
                    Cell.of(task.started() == null ? "-" : Texts.timeOfDay(task.started())),
                    Cell.of(Texts.between(task.started(), end(task, now))),
                    Cell.of(task.exitCode() == null ? "-" : task.exitCode().toString()),
                    Cell.of(detail(task))));
        }
        table.print(out, style, "");
    }

    private static @Nullable Instant end(TaskView task, Instant now) {
        return task.ended() == null && task.outcome() == null ? now : task.ended();
    }

    private static String detail(TaskView task) {
        String outcome = task.outcome() == null || task.outcome().equals(task.state()) ? "" : task.outcome();
        String preempted =
                task.preemptedFor() == null ? "" : task.preemptedFor().inWords();
        String detail = task.detail() == null ? "" : task.detail();
        return Stream.of(outcome, preempted, detail)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(": "));
    }

    private UnaryOperator<String> emphasis(String state) {
        return switch (state) {
            case "running", "succeeded" -> style::good;
            case "failed" -> style::bad;
            case "stopping", "preempting", "stopped" -> style::warning;
            default -> UnaryOperator.identity();
        };
    }
}
