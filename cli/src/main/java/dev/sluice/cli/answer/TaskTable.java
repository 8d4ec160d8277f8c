package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.TaskView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
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

    /**
     * Prints the tasks with their run time at {@code now}, and what they have used on average and at most if any of
     * them was measured.
     */
    public void print(List<TaskView> tasks, Instant now, PrintWriter out) {
        boolean measured = tasks.stream().anyMatch(task -> task.cpuSeconds() != null || task.memoryPeak() != null);
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("TASK")
                .text("STATE")
                .number("RUN")
                .text("NODE")
                .text("STARTED")
                .number("RAN")
                .number("EXIT CODE");
        if (measured) {
            table.number("CORES").number("MEMORY");
        }
        table.text("DETAIL");
        for (TaskView task : tasks) {
            List<Cell> cells = new ArrayList<>(List.of(
                    new Cell(task.id(), style::strong),
                    new Cell(task.state(), emphasis(task.state())),
                    Cell.of(Texts.orDash(task.attempt())),
                    Cell.of(Texts.orDash(task.node())),
                    Cell.of(task.started() == null ? "-" : Texts.timeOfDay(task.started())),
                    Cell.of(Texts.between(task.started(), end(task, now))),
                    Cell.of(task.exitCode() == null ? "-" : task.exitCode().toString())));
            if (measured) {
                cells.add(Cell.of(cores(task, now)));
                cells.add(Cell.of(memory(task)));
            }
            cells.add(Cell.of(detail(task)));
            table.row(cells);
        }
        table.print(out, style, "");
    }

    private static String cores(TaskView task, Instant now) {
        Double used = task.cores(now);
        return used == null
                ? "-"
                : Texts.decimal(used) + allocated(task, ResourceTypes.VCORE, amount -> Texts.decimal(amount / 1000.0));
    }

    private static String memory(TaskView task) {
        Long peak = task.memoryPeak();
        return peak == null ? "-" : Texts.memory(peak) + allocated(task, ResourceTypes.MEMORY, Texts::memory);
    }

    /** Returns how much of a resource a task was allocated, as the end of what it used; empty if nothing. */
    private static String allocated(TaskView task, String type, LongFunction<String> text) {
        long amount = task.resources() == null ? 0 : task.resources().getOrDefault(type, 0L);
        return amount == 0 ? "" : " of " + text.apply(amount);
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
