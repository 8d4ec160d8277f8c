package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Rounds;
import java.util.List;

/**
 * The machine-independent figures of the table, in less than a minute: ratios and heap. Exits with code 1 if a figure
 * misses its required limit in {@link #ATTEMPTS} successive measurements.
 */
public final class SmallTable {

    private static final int ATTEMPTS = 3;

    /** The limits of an individually named task, in bytes. */
    private static final Bound NAMED = Bound.below(160, 96);

    private SmallTable() {}

    /** Runs the measurements and prints the results. */
    public static void main(String[] arguments) {
        boolean misses = false;
        for (Row row : rows()) {
            misses |= misses(row);
        }
        System.exit(misses ? 1 : 0);
    }

    private static boolean misses(Row row) {
        boolean misses = true;
        for (int attempt = 1; misses && attempt <= ATTEMPTS; attempt++) {
            RowResult measured = RowResult.of(row);
            System.out.println(new Table(List.of(measured)).text());
            misses = measured.misses();
        }
        return misses;
    }

    private static List<Row> rows() {
        return List.of(
                new PlacementRow(
                        4,
                        10,
                        50_000,
                        null,
                        List.of(
                                new PlacementRow.Size(1000, null),
                                new PlacementRow.Size(10_000, Bound.atLeast(0.8, 0.9)))),
                new Waiting(),
                new HeapRow(1, 100_000, NAMED));
    }

    /** Whether a cycle in which no task fits costs more with more pending tasks of the same equivalence classes. */
    private record Waiting() implements Row {

        @Override
        public String name() {
            return "nothing-fits";
        }

        @Override
        public String title() {
            return "A full cluster";
        }

        @Override
        public String about() {
            return "A cycle in which no task fits, with 1,000,000 and with 100,000 pending tasks of the same 1,000"
                    + " equivalence classes.";
        }

        @Override
        public List<Line> measure() {
            Rounds measured = Rounds.measure(
                    List.of(
                            NothingFitsRow.afterAnEnd(new ManyClassesCluster(1_000_000)),
                            NothingFitsRow.afterAnEnd(new ManyClassesCluster(100_000))),
                    100,
                    100);
            return List.of(Line.bounded(
                    "1,000,000 vs. 100,000 pending tasks", Line.RATIO, measured.ratio(1, 0), Bound.below(1.5, 1.1)));
        }
    }
}
