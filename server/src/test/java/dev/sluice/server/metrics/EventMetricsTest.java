package dev.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Metrics of gangs and reservations, from the events of the engine. */
final class EventMetricsTest {

    private final ServerMetrics metrics = new ServerMetrics();
    private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());

    EventMetricsTest() {
        QueueConfiguration root = QueueConfiguration.parent("root", QueueConfiguration.leaf("q"));
        cluster.configure(PartitionConfiguration.of(
                        "default",
                        root.withProperties(
                                root.properties().withReservation(new ReservationProperties(Duration.ZERO, null)))))
                .node("n", "vcore", "4");
    }

    @AfterEach
    void close() {
        metrics.close();
    }

    /** Runs a cycle and gives its events to these metrics. */
    private void cycle(ServerMetrics to) {
        cluster.cycle();
        List<JournalEntry> entries = cluster.events().isEmpty()
                ? List.of()
                : List.of(new JournalEntry(new Cause("cycle", "scheduler"), cluster.events()));
        for (Projection counters : to.eventCounters()) {
            counters.committed(1, entries);
        }
        cluster.startAll();
    }

    private void cycle() {
        cycle(metrics);
    }

    /** Submits a task that is expected to end after this time. */
    private void submit(String id, int cores, Duration expected) {
        cluster.submitSealed(
                id,
                "root.q",
                TaskSpec.single("t", Resources.parse("vcore", String.valueOf(cores)))
                        .withExpectedDuration(expected));
        cycle();
    }

    private void submitGang(String id, int members) {
        cluster.submit(ApplicationSpec.sealed(id, "root.q", TaskSpec.of("w", members, Resources.parse("vcore", "1")))
                .withGang(Gang.of(Map.of("w", members))));
        cycle();
    }

    private static double value(ServerMetrics metrics, String series) {
        return metrics.scrape()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(series + " not found"));
    }

    private double value(String series) {
        return value(metrics, series);
    }

    private double ended(String reason) {
        return value("sluice_reservations_ended_total{reason=\"" + reason + "\"}");
    }

    @Test
    void gang_started_countsItsWait() {
        submit("x", 2, Duration.ofMinutes(5));
        submitGang("gang", 3);
        assertThat(value("sluice_gang_wait_seconds_count")).isZero();

        cluster.advance(Duration.ofSeconds(40)).succeed("x/t");
        cycle();

        assertThat(value("sluice_gang_wait_seconds_count")).isEqualTo(1);
        assertThat(value("sluice_gang_wait_seconds_sum")).isEqualTo(40);
        assertThat(value("sluice_gang_wait_seconds_bucket{le=\"10.0\"}")).isZero();
        assertThat(value("sluice_gang_wait_seconds_bucket{le=\"60.0\"}")).isEqualTo(1);
        assertThat(value("sluice_gang_timeouts_total")).isZero();
    }

    @Test
    void gang_notStartedInTime_isCounted() {
        submitGang("gang", 5);
        cluster.advance(Gang.TIMEOUT_DEFAULT);
        cycle();

        assertThat(value("sluice_gang_timeouts_total")).isEqualTo(1);
        assertThat(value("sluice_gang_wait_seconds_count")).isZero();
    }

    @Test
    void reservation_putOffTwice_countsMadeOnceAndDelays() {
        submit("x", 3, Duration.ofMinutes(5));
        assertThat(value("sluice_reservations_made_total")).isZero();
        submit("large", 4, Duration.ofMinutes(1));
        assertThat(value("sluice_reservations_made_total")).isEqualTo(1);
        assertThat(value("sluice_reservations_delays_total")).isZero();

        cluster.advance(Duration.ofMinutes(5).plusSeconds(1));
        cycle();
        cluster.advance(Duration.ofMinutes(1));
        cycle();
        assertThat(value("sluice_reservations_delays_total")).isEqualTo(2);

        cluster.succeed("x/t");
        cycle();
        assertThat(value("sluice_reservations_made_total")).isEqualTo(1);
        assertThat(ended("started")).isEqualTo(1);
        assertThat(ended("withdrawn")).isZero();
    }

    @Test
    void reservation_withdrawn_countsReasonAndNextOneAsMade() {
        submit("x", 3, Duration.ofMinutes(5));
        submit("large", 4, Duration.ofMinutes(1));
        cluster.cancel("large");
        cycle();
        assertThat(ended("withdrawn")).isEqualTo(1);

        submit("larger", 4, Duration.ofMinutes(1));
        assertThat(value("sluice_reservations_made_total")).isEqualTo(2);
        assertThat(value("sluice_reservations_delays_total")).isZero();
    }

    /** What was put off before the start of a server was counted by the server before it. */
    @Test
    void reservation_madeBeforeServerStart_countsLaterDelaysOnly() {
        submit("x", 3, Duration.ofMinutes(5));
        submit("large", 4, Duration.ofMinutes(1));
        cluster.advance(Duration.ofMinutes(5).plusSeconds(1));
        cycle();
        ServerMetrics restarted = new ServerMetrics();

        cluster.advance(Duration.ofMinutes(1));
        cycle(restarted);
        assertThat(value(restarted, "sluice_reservations_made_total")).isZero();
        assertThat(value(restarted, "sluice_reservations_delays_total")).isZero();
        cluster.advance(Duration.ofMinutes(2));
        cycle(restarted);
        assertThat(value(restarted, "sluice_reservations_delays_total")).isEqualTo(1);
        restarted.close();
    }
}
