package dev.sluice.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.server.store.Columns;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Processor time in reports of usage, in an interval of an hour. */
final class MeasuredUsageTest {

    private static final Instant FROM = Instant.parse("2026-03-01T10:00:00Z");
    private static final long HOUR = 3_600_000_000_000L;
    private static final RunAccount TWO_CORES =
            new RunAccount("default", "root.a", "ada", "etl", new TreeMap<>(Map.of("vcore", 2000L)));
    private static final RunAccount NO_CORES =
            new RunAccount("default", "root.a", "ada", "etl", new TreeMap<>(Map.of("gpu", 1L)));

    private final UsageTally tally = new UsageTally(List.of(), FROM, FROM.plusSeconds(3600), 10);

    /** Adds a run by the hours since the beginning of the interval. */
    private void add(RunAccount account, double placed, double released, @Nullable Double cpu) {
        tally.add(
                account,
                "n",
                Columns.nanos(FROM) + (long) (placed * HOUR),
                Columns.nanos(FROM) + (long) (released * HOUR),
                null,
                RunEnd.SUCCEEDED,
                cpu == null ? null : Long.valueOf((long) (cpu * HOUR)));
    }

    @Test
    void measuredRuns_endedInInterval_countInFull() {
        add(TWO_CORES, -1.5, 0.5, 3.0); // began before: 4 core-hours, of which 1 in the interval
        add(TWO_CORES, 0, 0.5, 0.5); // 1 core-hour
        add(TWO_CORES, 0, 0.75, null); // not measured
        add(TWO_CORES, 0.5, 1.5, 2.0); // ends later
        UsageTally.Group total = tally.groups().iterator().next();
        assertThat(ResourceHours.of(total).resources()).isEqualTo(Map.of("vcore", 1.0 + 1.0 + 1.5 + 1.0));
        assertThat(ResourceHours.cpu(total)).isEqualTo(3.5);
        assertThat(ResourceHours.efficiency(total)).isEqualTo(0.7);
    }

    @Test
    void runs_withoutCores_haveNoEfficiency() {
        add(NO_CORES, 0, 0.5, 0.25);
        UsageTally.Group total = tally.groups().iterator().next();
        assertThat(ResourceHours.cpu(total)).isEqualTo(0.25);
        assertThat(ResourceHours.efficiency(total)).isNull();
    }
}
