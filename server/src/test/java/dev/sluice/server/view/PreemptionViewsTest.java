package dev.sluice.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.server.api.PreemptionView;
import dev.sluice.server.api.ReservationView;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.metrics.PreemptionMetrics;
import dev.sluice.server.metrics.ServerMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Preemption in events, explanations and metrics. */
final class PreemptionViewsTest {

    private static final Cause CAUSE = new Cause("cycle", "scheduler");

    private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());

    PreemptionViewsTest() {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a    guaranteed(vcore 2)
                └─ b
                """)).node("n", "vcore", "2");
        cluster.submit("v", "root.b", cores(2, 1)).cycle();
        cluster.startAll().submit("x", "root.a", cores(1, 2)).cycle();
    }

    private static TaskSpec cores(int count, int cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(cores)));
    }

    private WhyView why() {
        TaskRef ref = new TaskRef("default", "x", "t", 0);
        return Objects.requireNonNull(Reasons.of(
                new Explainer(cluster.partition(), cluster.now()),
                cluster.application("x").groups().get(0),
                ref,
                Map.of(),
                StepBudget.unlimited()));
    }

    /** Returns the events of the cycle that preempts both tasks of v for the one of x. */
    private List<Event> preempt() {
        cluster.advance(Duration.ofSeconds(30)).cycle();
        return cluster.events();
    }

    @Test
    void why_beforeDelay_saysUntilWhen() {
        Instant until = cluster.now().plusSeconds(30);

        assertThat(why().reasons().get(0).preemption()).isEqualTo(new PreemptionView("delay", null, until, null));
        assertThat(why().summary()).endsWith("; preempts nothing before " + until);
        assertThat(why().reserved()).isNull();
    }

    @Test
    void why_reserved_namesVictims() {
        preempt();

        assertThat(why().state()).isEqualTo("reserved");
        assertThat(why().reserved()).isEqualTo(new ReservationView("n", cluster.now(), List.of("v/t-0", "v/t-1")));
        assertThat(why().summary())
                .isEqualTo("reserved on n since " + cluster.now()
                        + "; starts when 2 tasks preempted there have ended: v/t-0, v/t-1");
    }

    @Test
    void stop_event_namesReasonAndBeneficiary() {
        List<Object> stops = new ArrayList<>();
        for (Event event : preempt()) {
            if (event instanceof TaskEvent.Stopping) {
                Map<String, Object> data = EventViews.of(1, CAUSE, event).data();
                stops.add(data.get("reason") + " " + data.get("index") + " for " + data.get("for"));
            }
        }
        assertThat(stops)
                .containsExactly(
                        "guarantee 1 for {application=x, task=t, index=0}",
                        "guarantee 0 for {application=x, task=t, index=0}");
    }

    @Test
    void metrics_ofPreemption_countByReason() {
        ServerMetrics metrics = new ServerMetrics();
        PreemptionMetrics counters = new PreemptionMetrics(metrics);
        counters.committed(1, List.of(new JournalEntry(CAUSE, preempt())));

        assertThat(metrics.scrape())
                .contains("sluice_preemptions_total{reason=\"guarantee\"} 1.0")
                .contains("sluice_preempted_tasks_total{reason=\"guarantee\"} 2.0")
                .contains("sluice_preempted_work_seconds_total{reason=\"guarantee\"} 60.0")
                .contains("sluice_preempted_tasks_total{reason=\"quota\"} 0.0");
        metrics.close();
    }
}
