package dev.sluice.config.situation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.reference.RandomCluster;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A situation that is taken piece by piece, and written part by part. */
final class GradualSituationTest {

    private static final Resources CORE = Resources.parse("vcore", "1");

    /** Begins at every third instant of a cluster's life; a piece is taken between any two instants after it. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void situation_takenInPiecesWhileThingsHappen_isAsOneTakenAtOnceInTheEnd(long seed) {
        RandomCluster cluster = new RandomCluster(seed, seed % 2 == 0, RandomCluster.FEW_NODES);
        cluster.live(30);
        List<List<Event>> instants = instants(cluster.journal());
        int compared = 0;
        for (int begin = 0; begin < instants.size(); begin += 3) {
            compared += compare(seed, instants, begin) ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(instants.size() / 10);
    }

    private static List<List<Event>> instants(List<Event> journal) {
        List<List<Event>> instants = new ArrayList<>();
        for (Event event : journal) {
            List<Event> last = instants.isEmpty() ? List.of() : instants.get(instants.size() - 1);
            if (last.isEmpty() || !last.get(0).at().equals(event.at())) {
                instants.add(new ArrayList<>());
            }
            instants.get(instants.size() - 1).add(event);
        }
        return instants;
    }

    /** Returns whether anything happened between the pieces. */
    private static boolean compare(long seed, List<List<Event>> instants, int begin) {
        Scheduler scheduler = new Scheduler();
        instants.subList(0, begin).forEach(scheduler::restore);
        SchedulerState state = scheduler.state();
        SituationTaker taker = new SituationTaker(state);
        int next = begin;
        while (!taker.takeSome(1) && next < instants.size()) {
            List<Event> events = instants.get(next++);
            scheduler.restore(events);
            events.forEach(event -> tell(taker, event));
        }
        Instant at = next == 0 ? Instant.EPOCH : instants.get(next - 1).get(0).at();
        SituationTaker.Taken taken = taker.end(at);
        Situation expected = SituationTaker.take(state, at);
        instants.subList(next, instants.size()).forEach(scheduler::restore);
        assertThat(taken.situation())
                .as("seed %d, instants %d to %d", seed, begin, next)
                .isEqualTo(expected);
        return next > begin + 1;
    }

    private static void tell(SituationTaker taker, Event event) {
        if (event instanceof TaskEvent task) {
            taker.changed(task.partition(), task.application());
        } else if (event instanceof ApplicationEvent application) {
            taker.changed(application.partition(), application.application());
        }
    }

    @Test
    void piece_ofManyApplications_takesNoMoreThanIsAsked() {
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        cluster.configure(PartitionConfiguration.simplest());
        for (int i = 0; i < 10; i++) {
            cluster.submit("a" + i, "root.default", TaskSpec.single("t", CORE));
        }
        SituationTaker taker = new SituationTaker(cluster.scheduler().state());
        assertThat(taker.takeSome(4)).isFalse();
        assertThat(taker.takeSome(4)).isFalse();
        assertThat(taker.takeSome(4)).isTrue();
        assertThat(taker.end(cluster.now()).situation().applications()).hasSize(10);
    }

    @Test
    void text_ofALargeSituation_isWrittenInSmallParts() throws IOException {
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        cluster.configure(PartitionConfiguration.simplest());
        TaskSpec[] tasks = new TaskSpec[2_000];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = TaskSpec.single("task-" + i, CORE).withExpectedDuration(Duration.ofSeconds(i));
        }
        cluster.submit("a", "root.default", tasks);
        cluster.submit("b", "root.default", tasks);
        Situation situation = SituationTaker.take(cluster.scheduler().state(), cluster.now());
        Parts json = new Parts();
        SituationWriter.writeJson(situation, json);
        assertThat(json.text).hasToString(SituationWriter.json(situation));
        Parts yaml = new Parts();
        SituationWriter.writeYaml(situation, yaml);
        assertThat(yaml.text).hasToString(SituationWriter.yaml(situation));
        assertThat(json.text.length()).isGreaterThan(200_000);
        assertThat(List.of(json.largest, yaml.largest)).allMatch(size -> size < 10_000);
    }

    private static final class Parts implements Appendable {

        private final StringBuilder text = new StringBuilder();
        private int largest;

        @Override
        public Appendable append(CharSequence part) {
            return append(part, 0, part.length());
        }

        @Override
        public Appendable append(CharSequence part, int from, int to) {
            largest = Math.max(largest, to - from);
            text.append(part, from, to);
            return this;
        }

        @Override
        public Appendable append(char c) {
            throw new AssertionError("one character at a time");
        }
    }
}
