package dev.sluice.server.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.server.report.SimulationReports.Report;
import dev.sluice.server.report.SimulationReports.Request;
import dev.sluice.server.report.SimulationReports.State;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Simulations in the background and their limits. */
@Timeout(60)
final class SimulationReportsTest {

    private static final String QUEUES = "partitions: [{name: default, queues: [{name: root, queues: [{name: a}]}]}]\n";
    private static final String WORKLOAD = QUEUES + """
            nodes: [{name: n, capacity: {vcore: 1}}]
            applications:
              - {id: x, queue: root.a, submitted: 2026-01-01T00:00:00Z,
                 tasks: [{id: t, duration: 1h, resources: {vcore: 1}}]}
            """;

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile long nanos;
    private final SimulationReports reports = new SimulationReports(InstantSource.system(), this::nanos);

    /** The first call is that of the start; those of the simulation wait. */
    private long nanos() {
        if (asked.getAndIncrement() > 0) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return nanos;
    }

    private static Request request(String workload) {
        return new Request("default", "the last day", "ada", workload, QUEUES);
    }

    private Report ended() {
        await().until(() -> reports.of("default").get(0).state() != State.RUNNING);
        return reports.of("default").get(0);
    }

    @Test
    void start_whileAnotherRuns_isRefused() {
        reports.start(request(WORKLOAD));
        assertThatThrownBy(() -> reports.start(request(WORKLOAD)))
                .hasMessageContaining("another simulation is running");
        gate.countDown();
        assertThat(ended().page()).contains("the last day");
        for (int i = 0; i < SimulationReports.REPORTS_MAX; i++) {
            reports.start(request(WORKLOAD));
            ended();
        }
        assertThat(reports.of("default"))
                .hasSize(SimulationReports.REPORTS_MAX)
                .allMatch(report -> report.state() == State.READY)
                .noneMatch(report -> report.id() == 1);
        assertThat(reports.of("other")).isEmpty();
    }

    @Test
    void cancel_endsSimulation() {
        reports.start(request(WORKLOAD));
        reports.cancel("default");
        gate.countDown();
        assertThat(ended().state()).isEqualTo(State.CANCELLED);
        assertThat(ended().page()).isEmpty();
    }

    @Test
    void cancel_ofAnotherPartition_doesNothing() {
        reports.start(request(WORKLOAD));
        reports.cancel("other");
        gate.countDown();
        assertThat(ended().state()).isEqualTo(State.READY);
    }

    @Test
    void simulation_overTimeLimit_fails() {
        reports.start(request(WORKLOAD));
        nanos = SimulationReports.TIME_MAX.toNanos() + 1;
        gate.countDown();
        assertThat(ended().state()).isEqualTo(State.FAILED);
        assertThat(ended().detail()).contains("longer than 10 minutes");
    }

    @Test
    void simulation_withoutPastWork_saysSo() {
        gate.countDown();
        reports.start(request(QUEUES + "nodes: [{name: n, capacity: {vcore: 1}}]\n"));
        assertThat(ended().state()).isEqualTo(State.FAILED);
        assertThat(ended().detail()).isNotEmpty();
    }
}
