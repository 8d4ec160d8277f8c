package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.rounds.Rounds;
import java.util.List;

/**
 * What of the table does not depend on the machine, in less than a minute: ratios, and heap. Ends with exit code 1 when a figure is worse
 * than it must be in {@link #ATTEMPTS} measurements one after the other.
 */
public final class SmallTable {

    private static final int ATTEMPTS = 3;

    /** What a task with a name of its own may take. */
    private static final Bound NAMED = Bound.below(160, 96);

    private SmallTable() {}

    /** Measures, and prints what it came to. */
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

    /** Whether a cycle in which nothing fits costs more where more of the same shapes wait. */
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
            return "A cycle in which nothing fits, with 1,000,000 and with 100,000 tasks of the same 1,000 shapes that wait.";
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
                    "1,000,000 against 100,000 that wait", Line.RATIO, measured.ratio(1, 0), Bound.below(1.5, 1.1)));
        }
    }
}
