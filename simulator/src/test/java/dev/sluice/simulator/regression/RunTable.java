package dev.sluice.simulator.regression;

import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.report.ComparisonJson;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * A comparison as text: one row per configuration, followed by its leaf queues with the most tasks.
 *
 * <p>Counts are exact, other figures have four significant digits; times are in seconds, loans and lost work in
 * slot-hours. The wait of users is the median of their mean waits. A checksum of all figures of the run, as JSON,
 * covers what the text omits.
 */
final class RunTable {

    private static final int QUEUES_SHOWN = 10;
    private static final MathContext DIGITS = new MathContext(4);
    private static final int CHECKSUM_DIGITS = 16;
    private static final double HOUR = 3600;

    /** Smaller values are rounding errors. */
    private static final double LEAST = 1e-9;

    private final StringBuilder text = new StringBuilder();

    private RunTable() {}

    static String of(Comparison comparison) throws IOException {
        RunTable table = new RunTable();
        table.waits(comparison.runs());
        table.nodes(comparison.runs());
        table.shares(comparison.runs());
        table.counts(comparison.runs());
        for (RunFigures run : comparison.runs()) {
            table.queues(run);
        }
        table.row("configuration", "checksum of all figures");
        for (RunFigures run : comparison.runs()) {
            table.row(
                    run.name(),
                    checksum(new Comparison(
                            comparison.workload(),
                            List.of(run),
                            comparison.clusters().get(0))));
        }
        return table.text.toString();
    }

    private void waits(List<RunFigures> runs) {
        row("configuration", "wait mean", "p50", "p90", "p99", "longest", "slowdown mean", "p90");
        for (RunFigures run : runs) {
            TaskFigures total = run.total();
            row(
                    run.name(),
                    number(total.waiting().mean()),
                    number(total.waiting().p50()),
                    number(total.waiting().p90()),
                    number(total.waiting().p99()),
                    number(total.longestWaitSeconds()),
                    number(total.slowdown().mean()),
                    number(total.slowdown().p90()));
        }
        text.append('\n');
    }

    private void nodes(List<RunFigures> runs) {
        List<String> head = new ArrayList<>(List.of("configuration", "makespan", "fragmented", "withheld"));
        runs.get(0).resources().forEach(resource -> head.add("used " + resource.type()));
        row(head.toArray(String[]::new));
        for (RunFigures run : runs) {
            List<String> row = new ArrayList<>(List.of(
                    run.name(),
                    number(run.overall().makespanSeconds()),
                    number(run.overall().fragmented()),
                    number(run.overall().withheld())));
            for (ResourceFigures resource : run.resources()) {
                row.add(number(resource.utilisation()));
            }
            row(row.toArray(String[]::new));
        }
        text.append('\n');
    }

    private void shares(List<RunFigures> runs) {
        row("configuration", "unfairness", "jain queues", "jain users", "wait of users", "worst", "loans", "lost work");
        for (RunFigures run : runs) {
            OverallFigures overall = run.overall();
            double[] waits = waitsOfUsers(run);
            row(
                    run.name(),
                    number(overall.unfairness()),
                    number(overall.queueJainIndex()),
                    number(overall.userJainIndex()),
                    number(waits[(waits.length - 1) / 2]),
                    number(waits[waits.length - 1]),
                    number(overall.loans() / HOUR),
                    number(overall.lostSeconds() / HOUR));
        }
        text.append('\n');
    }

    /** Returns the mean wait of each user in ascending order. */
    private static double[] waitsOfUsers(RunFigures run) {
        return run.users().stream()
                .mapToDouble(user -> user.tasks().waiting().mean())
                .sorted()
                .toArray();
    }

    private void counts(List<RunFigures> runs) {
        row("configuration", "tasks", "starts", "stops", "never started", "rejected", "events");
        for (RunFigures run : runs) {
            TaskFigures total = run.total();
            row(
                    run.name(),
                    Long.toString(total.tasks()),
                    Long.toString(total.starts()),
                    Long.toString(total.stops()),
                    Long.toString(total.neverStarted()),
                    Long.toString(total.rejected()),
                    Long.toString(run.events()));
        }
        text.append('\n');
    }

    private void queues(RunFigures run) {
        row(run.name(), "tasks", "wait mean", "p90", "longest", "received", "due", "apart");
        List<QueueFigures> largest = run.queues().stream()
                .filter(QueueFigures::leaf)
                .sorted(Comparator.comparingLong(
                                (QueueFigures queue) -> -queue.tasks().tasks())
                        .thenComparing(QueueFigures::path))
                .limit(QUEUES_SHOWN)
                .toList();
        for (QueueFigures queue : largest) {
            row(
                    queue.path(),
                    Long.toString(queue.tasks().tasks()),
                    number(queue.tasks().waiting().mean()),
                    number(queue.tasks().waiting().p90()),
                    number(queue.tasks().longestWaitSeconds()),
                    number(queue.receivedMean()),
                    number(queue.dueMean()),
                    number(queue.area()));
        }
        text.append('\n');
    }

    private void row(String... cells) {
        StringBuilder row = new StringBuilder(String.format("%-28s", cells[0]));
        for (int i = 1; i < cells.length; i++) {
            row.append(String.format(" %13s", cells[i]));
        }
        text.append(row).append('\n');
    }

    private static String number(double value) {
        if (Math.abs(value) < LEAST) {
            return "0";
        }
        BigDecimal rounded = new BigDecimal(value).round(DIGITS).stripTrailingZeros();
        return rounded.toPlainString();
    }

    /** Covers only the runs, so that rewording a definition does not change it. */
    private static String checksum(Comparison comparison) throws IOException {
        StringBuilder json = new StringBuilder();
        ComparisonJson.write(comparison, json);
        String runs = json.substring(json.indexOf("\"runs\":"), json.indexOf("\"definitions\":"));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(runs.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, CHECKSUM_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
