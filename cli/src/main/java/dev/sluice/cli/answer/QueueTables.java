package dev.sluice.cli.answer;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.ClassesView;
import dev.sluice.server.api.LimitView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.api.ShareView;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The queue tree, and tables of load classes, limits of users and groups, and usage shares. */
public final class QueueTables {

    private static final String INDENT = "  ";
    private static final int BAR = 10;
    private static final double NEARLY_ALL = 0.9;

    private final List<QueueView> queues;
    private final List<ClassesView> classes;
    private final Style style;

    /** @param classes load classes of the parents with share policy load */
    public QueueTables(List<QueueView> queues, List<ClassesView> classes, Style style) {
        this.queues = List.copyOf(queues);
        this.classes = List.copyOf(classes);
        this.style = style;
    }

    public void print(PrintWriter out) {
        tree(out, Integer.MAX_VALUE);
        classes.forEach(each -> printClasses(each, out));
        queues.forEach(each -> printLimits(each, out));
        queues.stream()
                .filter(each -> !each.leaf() && each.policy().equals("usage"))
                .forEach(each -> printUsage(each, out));
    }

    /** Prints up to {@code rowsMax} rows of the tree. */
    void tree(PrintWriter out, int rowsMax) {
        boolean states = queues.stream().anyMatch(queue -> !queue.state().equals("active"));
        TextTable table = new TextTable(rowsMax)
                .text("QUEUE")
                .text("POLICY")
                .text("USED")
                .number("")
                .number("SHARE")
                .number("APPS")
                .number("RUNNING")
                .number("PENDING")
                .text("ALLOCATED")
                .text("MAX");
        if (states) {
            table.text("STATE");
        }
        for (QueueView queue : queues) {
            List<Cell> cells = new ArrayList<>(List.of(
                    Cell.of(INDENT.repeat(queue.depth()) + queue.name()),
                    Cell.of(queue.policy()),
                    new Cell(bar(queue.used()), emphasis(queue.used())),
                    Cell.of(Texts.percent(queue.used())),
                    Cell.of(share(queue)),
                    Cell.of(Texts.orDash(queue.applications())),
                    Cell.of(Texts.orDash(queue.allocatedTasks())),
                    Cell.of(Texts.orDash(queue.pendingTasks())),
                    Cell.of(Texts.amounts(queue.allocated())),
                    Cell.of(Texts.amounts(queue.max()))));
            if (states) {
                cells.add(Cell.of(queue.state().equals("active") ? "" : queue.state()));
            }
            table.row(cells);
        }
        table.print(out, style, "");
    }

    private UnaryOperator<String> emphasis(double used) {
        return used >= NEARLY_ALL ? style::warning : style::good;
    }

    /** Returns a bar for a fraction from 0 to 1. */
    static String bar(double used) {
        int full = (int) Math.round(Math.min(1, Math.max(0, used)) * BAR);
        int shown = used > 0 && full == 0 ? 1 : full;
        return "█".repeat(shown) + "░".repeat(BAR - shown);
    }

    private static String share(QueueView queue) {
        ShareView share = queue.share();
        if (share.percent() != null) {
            return "load " + share.percent() + " %";
        }
        if (share.fraction() != null) {
            return share.fraction() == 0 ? "" : "usage " + Texts.percent(share.fraction());
        }
        return share.dominant() == null ? "" : Texts.percent(share.dominant());
    }

    private void printLimits(QueueView queue, PrintWriter out) {
        List<LimitView> limits = queue.limits();
        if (limits == null) {
            return;
        }
        out.println();
        out.println(style.strong("Limits in " + TextWidth.printable(queue.path())));
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("USER OR GROUP")
                .text("NAME")
                .number("RUNNING APPS")
                .number("MAX APPS")
                .text("ALLOCATED")
                .text("MAX");
        for (LimitView limit : limits) {
            table.row(List.of(
                    Cell.of(limit.subject()),
                    Cell.of(limit.name()),
                    Cell.of(Texts.orDash(limit.activeApplications())),
                    Cell.of(
                            limit.maxApplications() == null
                                    ? "-"
                                    : limit.maxApplications().toString()),
                    Cell.of(Texts.amounts(limit.allocated())),
                    Cell.of(Texts.amounts(limit.max()))));
        }
        table.print(out, style, INDENT);
    }

    private List<QueueView> below(String path) {
        return queues.stream()
                .filter(queue -> queue.path().length() > path.length()
                        && queue.path().startsWith(path + ".")
                        && queue.path().indexOf('.', path.length() + 1) < 0)
                .toList();
    }

    private void printClasses(ClassesView parent, PrintWriter out) {
        out.println();
        out.println(style.strong("Load classes of " + TextWidth.printable(parent.queue())) + workers(parent));
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("CLASS")
                .number("LOAD %")
                .number("ENTITLEMENT")
                .number("RUNNING")
                .number("LOANED")
                .number("WAITING");
        for (QueueView queue : below(parent.queue())) {
            ShareView share = queue.share();
            table.row(List.of(
                    Cell.of(queue.name()),
                    Cell.of(share.percent() == null ? "-" : share.percent().toString()),
                    Cell.of(Texts.orDash(share.entitlement())),
                    Cell.of(Texts.orDash(queue.allocatedTasks())),
                    new Cell(Texts.orDash(share.loaned()), style::warning),
                    Cell.of(Texts.orDash(queue.pendingTasks()))));
        }
        table.print(out, style, INDENT);
    }

    private static String workers(ClassesView parent) {
        Integer workers = parent.workers();
        if (workers == null) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                ": %,d %s, %,d idle at the start of the last cycle",
                workers,
                workers == 1 ? "worker" : "workers",
                parent.idle() == null ? 0 : parent.idle());
    }

    private void printUsage(QueueView parent, PrintWriter out) {
        out.println();
        out.println(style.strong("Usage shares of " + TextWidth.printable(parent.path())));
        TextTable table = new TextTable(Integer.MAX_VALUE)
                .text("QUEUE")
                .number("USAGE")
                .number("USAGE PRIORITY")
                .number("EFFECTIVE PRIORITY")
                .number("FRACTION")
                .text("SLICE");
        for (QueueView queue : below(parent.path())) {
            ShareView share = queue.share();
            Double fraction = share.fraction();
            table.row(List.of(
                    Cell.of(queue.name()),
                    Cell.of(cores(share.usage())),
                    Cell.of(cores(share.usagePriority())),
                    Cell.of(cores(share.effectivePriority())),
                    Cell.of(fraction == null || fraction == 0 ? "-" : Texts.percent(fraction)),
                    Cell.of(Texts.amounts(share.slice()))));
        }
        table.print(out, style, INDENT);
    }

    private static String cores(@Nullable Double cores) {
        return cores == null || cores == 0 ? "-" : String.format(Locale.ROOT, "%.2f", cores);
    }
}
