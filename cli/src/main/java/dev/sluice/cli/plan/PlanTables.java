package dev.sluice.cli.plan;

import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.config.field.DurationText;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.LoadClassShare;
import dev.sluice.core.share.UsageFigures;
import java.io.PrintWriter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Prints a plan as tables: started and preempted tasks, load classes, usage shares, the queue tree, and waiting tasks
 * with reasons.
 */
public final class PlanTables {

    /** Maximum number of rows without {@code --all}. */
    private static final int ROWS_MAX = 20;

    private static final int NODES_MAX = 3;

    /** Maximum number of queue rows without {@code --all}. */
    private static final int QUEUE_ROWS_MAX = 60;

    /** Larger numbers of cores are shown in scientific notation. */
    private static final double CORES_IN_FULL_MAX = 1e9;

    private static final long MEBI = 1 << 20;

    /** Amounts below this are shown exactly. */
    private static final long AMOUNT_IN_FULL_MAX = 100 * MEBI;

    private static final String INDENT = "  ";

    private final Plan plan;
    private final PrintWriter out;
    private final Style style;
    private final boolean all;

    /** @param all whether tables have no row limit */
    public PlanTables(Plan plan, PrintWriter out, Style style, boolean all) {
        this.plan = plan;
        this.out = out;
        this.style = style;
        this.all = all;
    }

    private static String nodes(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(names.size(), NODES_MAX)));
        return names.size() > NODES_MAX ? first + ", …" : first;
    }

    private static String beneficiary(Plan.PlannedPreemption preemption) {
        TaskRef task = preemption.beneficiary();
        return task == null ? "" : task.application() + "/" + task.id();
    }

    public void print() {
        heading("Start", plan.starts().size());
        print(
                table(ROWS_MAX).text("TASK").text("APPLICATION").text("QUEUE").text("NODE"),
                plan.starts(),
                start -> cells(start.partition(), start.task(), start.application(), start.queue(), start.node()));
        heading("Preempt", plan.preemptions().size());
        print(
                table(ROWS_MAX)
                        .text("TASK")
                        .text("APPLICATION")
                        .text("QUEUE")
                        .text("NODE")
                        .text("REASON")
                        .text("FOR"),
                plan.preemptions(),
                stop -> cells(
                        stop.partition(),
                        stop.task(),
                        stop.application(),
                        stop.queue(),
                        stop.node(),
                        stop.reason(),
                        beneficiary(stop)));
        if (!plan.reservations().isEmpty()) {
            heading(
                    "Reserve",
                    plan.reservations().stream().mapToInt(Plan.Reserved::tasks).sum());
            print(
                    table(ROWS_MAX)
                            .text("TASK")
                            .text("APPLICATION")
                            .text("QUEUE")
                            .text("NODES")
                            .text("FROM"),
                    plan.reservations(),
                    reserved -> cells(
                            reserved.partition(),
                            reserved.tasks() == 1 ? reserved.task() : "gang of " + reserved.tasks(),
                            reserved.application(),
                            reserved.queue(),
                            nodes(reserved.nodes()),
                            reserved.start().truncatedTo(ChronoUnit.SECONDS).toString()));
        }
        plan.loadParents().forEach(this::printClasses);
        plan.usageParents().forEach(this::printUsage);
        out.println(style.strong("Queues after this cycle"));
        print(
                table(QUEUE_ROWS_MAX)
                        .text("QUEUE")
                        .text("POLICY")
                        .number("SHARE")
                        .number("STARTS")
                        .number("PREEMPTED")
                        .text("ALLOCATED")
                        .text("PENDING"),
                plan.queues(),
                this::queue);
        printWaits("Waiting", false);
        if (plan.waits().stream().anyMatch(Plan.Wait::never)) {
            printWaits("Never, unless nodes or queues change", true);
        }
    }

    private void printWaits(String title, boolean never) {
        List<Plan.Wait> waits =
                plan.waits().stream().filter(wait -> wait.never() == never).toList();
        heading(title, waits.stream().mapToLong(Plan.Wait::tasks).sum());
        print(
                table(ROWS_MAX)
                        .number("TASKS")
                        .text("APPLICATION")
                        .text("REASON")
                        .text("WHY"),
                waits,
                wait -> cells(
                        wait.partition(),
                        Long.toString(wait.tasks()),
                        wait.application(),
                        wait.reason(),
                        wait.detail()));
    }

    private void heading(String title, long tasks) {
        String count = tasks == 0 ? "nothing" : tasks == 1 ? "1 task" : String.format(Locale.ROOT, "%,d tasks", tasks);
        out.println(style.strong(title) + ": " + count);
    }

    private <T> void print(TextTable table, List<T> items, Function<T, List<Cell>> row) {
        for (T item : items) {
            if (table.hasFreeRow()) {
                table.row(row.apply(item));
            } else {
                table.omitRow();
            }
        }
        if (!items.isEmpty()) {
            table.print(out, style, INDENT);
        }
        out.println();
    }

    /** Prints the classes of a parent at the start of the cycle, and the decisions about them. */
    private void printClasses(Plan.LoadParent parent) {
        String workers =
                parent.workers() == 1 ? "1 worker" : String.format(Locale.ROOT, "%,d workers", parent.workers());
        out.println(style.strong("Load classes of " + TextWidth.printable(parent.path()))
                + in(parent.partition())
                + String.format(Locale.ROOT, ": %s, %,d idle before this cycle", workers, parent.idle()));
        boolean differs = parent.classes().stream().anyMatch(PlanTables::differsFromBudget);
        TextTable table = new TextTable(all ? Integer.MAX_VALUE : QUEUE_ROWS_MAX)
                .text("CLASS")
                .number("LOAD %")
                .number("ENTITLEMENT")
                .number("RUNNING")
                .number("LOANED")
                .number("WAITING")
                .number("START")
                .number("PREEMPT");
        print(differs ? table.number("ALLOCATED") : table, parent.classes(), each -> loadClass(each, differs));
    }

    /** Whether the number of started tasks differs from the budget. */
    private static boolean differsFromBudget(Plan.LoadClassLine line) {
        return line.placed() != line.load().start();
    }

    private List<Cell> loadClass(Plan.LoadClassLine line, boolean withAllocated) {
        LoadClassShare load = line.load();
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of(line.name()));
        cells.add(Cell.of(load.percent()));
        cells.add(Cell.of(load.entitlement()));
        cells.add(Cell.of(orDash(load.running())));
        cells.add(Cell.of(orDash(load.loaned())));
        cells.add(Cell.of(orDash(load.waiting())));
        cells.add(Cell.of(orDash(load.start())));
        cells.add(Cell.of(orDash(load.stop())));
        if (withAllocated) {
            String placed = orDash(line.placed());
            cells.add(differsFromBudget(line) ? new Cell(placed, style::warning) : Cell.of(placed));
        }
        return cells;
    }

    /** Prints the children of a parent at the start of the cycle, and their slices. */
    private void printUsage(Plan.UsageParent parent) {
        out.println(style.strong("Usage shares of " + TextWidth.printable(parent.path()))
                + in(parent.partition())
                + ": half-life "
                + DurationText.format(parent.halftime()));
        TextTable table = new TextTable(all ? Integer.MAX_VALUE : QUEUE_ROWS_MAX)
                .text("QUEUE")
                .number("FACTOR")
                .number("USAGE")
                .number("USAGE PRIORITY")
                .number("EFFECTIVE PRIORITY")
                .number("FRACTION")
                .text("SLICE")
                .number("STARTS");
        print(table, parent.children(), PlanTables::usage);
    }

    private static List<Cell> usage(Plan.UsageLine line) {
        UsageFigures figures = line.figures();
        return List.of(
                Cell.of(line.name()),
                Cell.of(factor(line.factor())),
                Cell.of(cores(figures.usage())),
                Cell.of(cores(figures.usagePriority())),
                Cell.of(cores(figures.effectivePriority())),
                Cell.of(figures.fraction() == 0 ? "-" : percent(figures.fraction())),
                Cell.of(orDash(rounded(line.slice()))),
                Cell.of(orDash(line.placed())));
    }

    /** Rounds large amounts down to mebibytes: slices are fractions with many digits. */
    private static Resources rounded(Resources amounts) {
        SortedMap<String, Amount> rounded = new TreeMap<>(amounts.amounts());
        rounded.replaceAll((type, amount) ->
                amount.value() < AMOUNT_IN_FULL_MAX ? amount : new Amount(amount.value() - amount.value() % MEBI));
        return Resources.of(rounded);
    }

    private static String factor(double factor) {
        return factor == (long) factor ? Long.toString((long) factor) : Double.toString(factor);
    }

    private static String cores(double cores) {
        return cores == 0 ? "-" : String.format(Locale.ROOT, cores < CORES_IN_FULL_MAX ? "%.2f" : "%.2e", cores);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * part);
    }

    private String in(String partition) {
        return plan.partitions() > 1 ? " in partition " + TextWidth.printable(partition) : "";
    }

    private List<Cell> queue(Plan.QueueLine queue) {
        String name = queue.path().substring(queue.path().lastIndexOf('.') + 1);
        return cells(
                queue.partition(),
                INDENT.repeat(queue.depth()) + name,
                queue.policy(),
                share(queue),
                orDash(queue.started()),
                orDash(queue.preempted()),
                orDash(queue.allocated()),
                orDash(queue.pending()));
    }

    private static String share(Plan.QueueLine queue) {
        if (queue.load() != null) {
            return "load " + queue.load().percent() + " %";
        }
        if (queue.usage() != null) {
            double fraction = queue.usage().figures().fraction();
            return fraction == 0 ? "" : "usage " + percent(fraction);
        }
        return queue.dominantShare().isPresent() ? percent(queue.dominantShare().getAsDouble()) : "";
    }

    /** Returns a table; its first column is the partition if there are several. */
    private TextTable table(int rowsMax) {
        TextTable table = new TextTable(all ? Integer.MAX_VALUE : rowsMax);
        return plan.partitions() > 1 ? table.text("PARTITION") : table;
    }

    private List<Cell> cells(String partition, String... texts) {
        List<Cell> cells = new ArrayList<>();
        if (plan.partitions() > 1) {
            cells.add(Cell.of(partition));
        }
        for (String text : texts) {
            cells.add(Cell.of(text));
        }
        return cells;
    }

    private static String orDash(long number) {
        return number == 0 ? "-" : Long.toString(number);
    }

    private static String orDash(Resources amounts) {
        return amounts.isEmpty() ? "-" : amounts.toString();
    }
}
