package dev.sluice.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.DemandHistory.Demand;
import dev.sluice.runtime.journal.DemandHistory.DemandQuery;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.page.QueueFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DemandRecorderTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final DemandHistory history = new MemoryStore().demand();
    private final DemandSteps steps = new DemandSteps(history);

    /** Adds a sample of root with two leaves, one of which has these pending tasks of a core each. */
    private static void sample(DemandRecorder recorder, Instant at, long pending) throws Exception {
        Map<String, Long> cores = pending == 0 ? Map.of() : Map.of("vcore", pending * 1000);
        recorder.add(
                at,
                Map.of(
                        "default",
                        List.of(
                                QueueFixture.parent("root", "fair")
                                        .withPending(pending, cores)
                                        .view(),
                                QueueFixture.leaf("root.a")
                                        .withQuotas(Map.of("vcore", 2_000L), Map.of())
                                        .withPending(pending, cores)
                                        .view(),
                                QueueFixture.leaf("root.idle")
                                        .withQuotas(Map.of("vcore", 4_000L), Map.of())
                                        .view())));
    }

    private List<Demand> stored(Duration length, Instant from) throws Exception {
        return history.find(new DemandQuery("default", "", length, from, from.plus(length)));
    }

    private static Demand demand(String queue, Duration length, long tasks, long due) {
        return new Demand(
                "default",
                queue,
                NOON,
                length,
                tasks,
                new TreeMap<>(Map.of("vcore", tasks * 1000)),
                new TreeMap<>(Map.of("vcore", due)));
    }

    @Test
    void samples_ofAnInterval_areStoredAsMeans() throws Exception {
        DemandRecorder recorder = new DemandRecorder(history);
        sample(recorder, NOON.plusSeconds(10), 6);
        sample(recorder, NOON.plusSeconds(70), 0);
        sample(recorder, NOON.plusSeconds(130), 3);
        assertThat(stored(DemandRecorder.SHORT, NOON))
                .containsExactly(
                        demand("root", DemandRecorder.SHORT, 3, 6_000),
                        demand("root.a", DemandRecorder.SHORT, 3, 1_333));
        assertThat(stored(DemandRecorder.LONG, NOON)).isEmpty();
    }

    @Test
    void intervals_ofAnHour_areStoredAsMeans() throws Exception {
        DemandRecorder recorder = new DemandRecorder(history);
        sample(recorder, NOON, 6);
        sample(recorder, NOON.plusSeconds(300), 3);
        sample(new DemandRecorder(history), NOON.plusSeconds(600), 0); // after a restart
        sample(recorder, NOON.plusSeconds(900), 9);
        assertThat(stored(DemandRecorder.LONG, NOON))
                .containsExactly(
                        demand("root", DemandRecorder.LONG, 3, 6_000), demand("root.a", DemandRecorder.LONG, 3, 1_333));
    }

    @Test
    void intervals_old_areDiscarded() throws Exception {
        DemandRecorder recorder = new DemandRecorder(history);
        sample(recorder, NOON, 6);
        sample(recorder, NOON.plusSeconds(300), 6);
        sample(recorder, NOON.plus(DemandRecorder.SHORT_KEPT), 0);
        assertThat(stored(DemandRecorder.SHORT, NOON)).isNotEmpty();
        sample(recorder, NOON.plus(DemandRecorder.SHORT_KEPT).plusSeconds(300), 0);
        assertThat(stored(DemandRecorder.SHORT, NOON)).isEmpty();
        assertThat(stored(DemandRecorder.LONG, NOON)).isNotEmpty();
        sample(recorder, NOON.plus(DemandRecorder.LONG_KEPT).plusSeconds(300), 0);
        assertThat(stored(DemandRecorder.LONG, NOON)).isEmpty();
    }

    /** An interval that only root has counts as nothing for a queue; one that nothing has is unknown. */
    @Test
    void steps_ofQueue_areMeansOverKnownIntervals() throws Exception {
        DemandRecorder recorder = new DemandRecorder(history);
        sample(recorder, NOON, 6);
        sample(recorder, NOON.plusSeconds(300), 0);
        List<DemandSteps.Step> found = steps.steps("default", "root.a", NOON, Duration.ofMinutes(10), 2);
        assertThat(found)
                .containsExactly(
                        new DemandSteps.Step(
                                NOON, NOON.plusSeconds(600), 2, 3.0, Map.of("vcore", 3_000L), Map.of("vcore", 1_000L)),
                        new DemandSteps.Step(
                                NOON.plusSeconds(600), NOON.plusSeconds(1200), 0, 0.0, Map.of(), Map.of()));
        assertThat(steps.steps("default", "root", NOON, Duration.ofHours(1), 1)
                        .get(0)
                        .pendingTasks())
                .as("the interval of the hour that has ended")
                .isEqualTo(6);
    }
}
