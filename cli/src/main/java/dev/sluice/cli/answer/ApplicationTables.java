package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.GangView;
import dev.sluice.server.api.TaskCounts;
import dev.sluice.server.api.TaskGroupView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Tables of applications, and the details of one. */
public final class ApplicationTables {

    private static final int LABEL_WIDTH = 11;

    private final Style style;

    public ApplicationTables(Style style) {
        this.style = style;
    }

    /** Prints up to {@code rowsMax} applications with their age at {@code now}. */
    public void list(List<ApplicationView> applications, Instant now, int rowsMax, PrintWriter out) {
        TextTable table = new TextTable(rowsMax)
                .text("APPLICATION")
                .text("STATE")
                .text("QUEUE")
                .text("USER")
                .number("DONE")
                .number("RUNNING")
                .number("WAITING")
                .number("FAILED")
                .number("AGE");
        for (ApplicationView each : applications) {
            TaskCounts tasks = each.tasks();
            table.row(List.of(
                    new Cell(each.id(), style::strong),
                    state(each),
                    Cell.of(Texts.orDash(each.queue())),
                    Cell.of(each.user()),
                    Cell.of(tasks.succeeded() + "/" + tasks.total()),
                    Cell.of(Texts.orDash(tasks.allocated())),
                    Cell.of(Texts.orDash(tasks.waiting() + tasks.pending())),
                    new Cell(Texts.orDash(tasks.failed()), style::bad),
                    Cell.of(Texts.between(each.submitted(), now))));
        }
        table.print(out, style, "");
    }

    /** Prints the states and task counts of applications. */
    public void outcomes(List<ApplicationView> applications, PrintWriter out) {
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("APPLICATION")
                .text("STATE")
                .number("DONE")
                .number("FAILED")
                .text("REASON");
        for (ApplicationView each : applications) {
            table.row(List.of(
                    new Cell(each.id(), style::strong),
                    state(each),
                    Cell.of(each.tasks().succeeded() + "/" + each.tasks().total()),
                    new Cell(Texts.orDash(each.tasks().failed()), style::bad),
                    Cell.of(each.reason() == null ? "" : each.reason())));
        }
        table.print(out, style, "");
    }

    private Cell state(ApplicationView application) {
        Integer suspended = application.tasks().suspended();
        return new Cell(
                application.state()
                        + (application.held() ? ", held" : "")
                        + (suspended == null ? "" : ", " + suspended + " suspended"),
                emphasis(application.state()));
    }

    /** Prints the details of one application. */
    public void one(ApplicationView application, PrintWriter out) {
        line("Application", style.strong(TextWidth.printable(application.id())), out);
        if (!application.name().equals(application.id())) {
            line("Name", TextWidth.printable(application.name()), out);
        }
        line(
                "State",
                emphasis(application.state()).apply(TextWidth.printable(application.state())) + reason(application),
                out);
        line("Since", Texts.time(application.stateSince()), out);
        line("Partition", TextWidth.printable(application.partition()), out);
        line("Queue", TextWidth.printable(Texts.orDash(application.queue())), out);
        line("User", TextWidth.printable(user(application)), out);
        line("Submitted", Texts.time(application.submitted()), out);
        optional("Held", application.held() ? "yes: starts nothing until it is released" : null, out);
        Integer suspended = application.tasks().suspended();
        optional(
                "Suspended",
                suspended == null
                        ? null
                        : (suspended == 1 ? "1 task, which keeps its" : suspended + " tasks, which keep their")
                                + " resources",
                out);
        optional("After", application.after() == null ? null : texts(application.after()), out);
        Instant notBefore = application.notBefore();
        optional("Not before", notBefore == null ? null : Texts.time(notBefore), out);
        line("Sealed", application.sealed() ? "yes" : "no: tasks may be added", out);
        line("On failure", TextWidth.printable(application.onFailure()), out);
        optional("Gang", application.gang() == null ? null : gang(application.gang()), out);
        optional("Tag", application.tag(), out);
        optional("Basis", application.basis(), out);
        optional("Tags", texts(application.tags()), out);
        line("Allocated", Texts.amounts(application.allocated()), out);
        List<TaskGroupView> groups = application.groupsOfTasks();
        if (groups != null && !groups.isEmpty()) {
            out.println();
            groups(groups, out);
        }
    }

    private static String gang(GangView gang) {
        StringJoiner members = new StringJoiner(", ");
        gang.tasks().forEach((name, count) -> members.add(count + " " + name));
        String domain = gang.topologyKey() == null
                ? ""
                : Boolean.TRUE.equals(gang.topologyRequired())
                        ? " in one " + gang.topologyKey()
                        : ", if possible in one " + gang.topologyKey();
        String state = gang.timedOut()
                ? "; timed out after " + gang.timeout() + ": tasks start one by one"
                : gang.waitingSince() == null ? "" : "; waits since " + Texts.time(gang.waitingSince());
        return members + " together" + domain + state;
    }

    private static String reason(ApplicationView application) {
        return application.reason() == null ? "" : ": " + TextWidth.printable(application.reason());
    }

    private static String user(ApplicationView application) {
        return application.user()
                + (application.groups().isEmpty() ? "" : " (" + String.join(", ", application.groups()) + ")");
    }

    private static @Nullable String texts(Map<String, String> tags) {
        return tags.isEmpty()
                ? null
                : String.join(
                        ", ",
                        tags.entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .toList());
    }

    private void optional(String label, @Nullable String text, PrintWriter out) {
        if (text != null) {
            line(label, TextWidth.printable(text), out);
        }
    }

    private void line(String label, String text, PrintWriter out) {
        out.println(style.faint(TextWidth.padded(label, LABEL_WIDTH)) + "  " + text);
    }

    private void groups(List<TaskGroupView> groups, PrintWriter out) {
        boolean after = groups.stream().anyMatch(group -> group.after() != null);
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("TASKS")
                .number("COUNT")
                .text("RESOURCES")
                .number("PRIORITY")
                .number("WAITING")
                .number("PENDING")
                .number("ALLOCATED")
                .number("SUCCEEDED")
                .number("FAILED")
                .number("STOPPED");
        if (after) {
            table.text("AFTER");
        }
        for (TaskGroupView group : groups) {
            TaskCounts tasks = group.tasks();
            Map<String, String> waitsFor = group.after();
            List<Cell> cells = new java.util.ArrayList<>(List.of(
                    Cell.of(group.name()),
                    Cell.of(group.count()),
                    Cell.of(Texts.amounts(group.resources())),
                    Cell.of(group.priority()),
                    Cell.of(Texts.orDash(tasks.waiting())),
                    Cell.of(Texts.orDash(tasks.pending())),
                    Cell.of(Texts.orDash(tasks.allocated() + tasks.preempting())),
                    Cell.of(Texts.orDash(tasks.succeeded())),
                    new Cell(Texts.orDash(tasks.failed()), style::bad),
                    Cell.of(Texts.orDash(tasks.stopped()))));
            if (after) {
                cells.add(Cell.of(waitsFor == null ? "" : String.valueOf(texts(waitsFor))));
            }
            table.row(cells);
        }
        table.print(out, style, "");
    }

    /** Returns the emphasis of an application state. */
    public UnaryOperator<String> emphasis(String state) {
        return switch (state) {
            case "Completed" -> style::good;
            case "Failed", "Rejected", "Failing" -> style::bad;
            default -> UnaryOperator.identity();
        };
    }
}
