package dev.sluice.benchmarks.table;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of the table, in order. */
final class Rows {

    private static final int WARMUP = 6;
    private static final int ROUNDS = 15;

    private Rows() {}

    /**
     * Returns all rows.
     *
     * @param traces the directory of traces, or null
     */
    static List<Row> all(@Nullable Path traces) {
        List<Integer> sizes = List.of(1000, 10_000, 100_000);
        return List.of(
                new PlacementRow(
                        WARMUP,
                        ROUNDS,
                        100_000,
                        Bound.atLeast(1_000_000, 3_000_000),
                        List.of(
                                new PlacementRow.Size(sizes.get(0), null),
                                new PlacementRow.Size(sizes.get(1), Bound.atLeast(0.8, 0.9)),
                                new PlacementRow.Size(sizes.get(2), Bound.atLeast(0.3, 0.5)))),
                new ChurnRow(4, 11, sizes),
                new PolicyRow(3, 11),
                new MixedRow(WARMUP, ROUNDS, traces),
                new NothingFitsRow(300, 300),
                new LimitsRow(4, 11),
                new ConstraintsRow(4, 11),
                new TaskConstraintsRow(4, 11),
                new GangsRow(300, 300, 10_000, 1000),
                new GangReservationsRow(300, 1000, 10_000, 1000),
                new LatencyRow(3, 10),
                new HeapRow(5, 1_000_000, Bound.below(160, 96)),
                new IdleRow(1000, 100, sizes));
    }
}
