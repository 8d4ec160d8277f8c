package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.Task;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What reservations promise, in simulations with random streams of tasks. */
class BackfillPropertyTest {

    private static final Duration DELAY = Duration.ofSeconds(30);
    private static final int LIMIT_MAX = 120;
    private static final int CORES = 8;

    private final CheckedScheduler scheduler = new CheckedScheduler();
    private final ClusterUnderTest cluster = new ClusterUnderTest(scheduler);
    private final Map<String, Integer> durations = new HashMap<>();
    private final Map<String, Instant> promised = new HashMap<>();
    private final Map<String, Instant> starts = new HashMap<>();
    private int made;

    private void configure(ReservationProperties properties, int nodes) {
        QueueConfiguration root = QueueConfiguration.parent(
                "root", QueueConfiguration.leaf("a"), QueueConfiguration.leaf("b"), QueueConfiguration.leaf("c"));
        cluster.configure(PartitionConfiguration.of(
                "default", root.withProperties(root.properties().withReservation(properties))));
        cluster.nodes("n", nodes, "vcore", String.valueOf(CORES));
    }

    private void submit(String id, String queue, int cores, int limit, int duration) {
        durations.put(id, duration);
        cluster.submitSealed(
                id,
                "root." + queue,
                TaskSpec.single("t", Resources.parse("vcore", String.valueOf(cores)))
                        .withAttempts(0, Duration.ofSeconds(limit)));
    }

    private void submitGang(String id, String queue, int count, int cores, int limit) {
        durations.put(id, limit);
        TaskSpec task = TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(cores)))
                .withAttempts(0, Duration.ofSeconds(limit));
        cluster.submit(ApplicationSpec.sealed(id, "root." + queue, task).withGang(Gang.of(Map.of("t", count))));
    }

    /** Ends the tasks whose time has come, runs a cycle, checks reservations and lets a second pass. */
    private void second() {
        second(true);
    }

    private void second(boolean durationsAreTrue) {
        for (Task task : cluster.placed()) {
            Instant started = task.startedAt();
            int duration = durations.getOrDefault(task.application().id(), 0);
            if (started != null && !started.plusSeconds(duration).isAfter(cluster.now())) {
                cluster.succeed(task.toString());
            }
        }
        cluster.cycle();
        cluster.events().forEach(event -> {
            if (event instanceof ReservationEvent.Made reserved) {
                String id = reserved.reservation().task().application();
                Instant start = reserved.reservation().start();
                made++;
                if (durationsAreTrue) {
                    assertThat(start).as("reservation of %s", id).isBeforeOrEqualTo(promised.getOrDefault(id, start));
                }
                promised.put(id, start);
            }
        });
        cluster.startAll();
        for (Task task : cluster.placed()) {
            starts.putIfAbsent(task.application().id(), task.placedAt());
        }
        cluster.advance(Duration.ofSeconds(1));
    }

    private void random(long seed, boolean exact) {
        Random random = new Random(seed);
        Duration delay = random.nextBoolean() ? Duration.ZERO : null;
        int nodes = 1 + random.nextInt(3);
        configure(new ReservationProperties(delay, null), nodes);
        for (int second = 0; second < 400; second++) {
            if (random.nextInt(100) < 25) {
                int limit = 1 + random.nextInt(LIMIT_MAX);
                int cores = random.nextInt(100) < 15 ? CORES : 1 + random.nextInt(CORES / 2);
                String queue = "abc".substring(random.nextInt(3)).substring(0, 1);
                if (random.nextInt(100) < 10) {
                    submitGang("x" + second, queue, 1 + random.nextInt(nodes), cores, limit);
                } else {
                    submit("x" + second, queue, cores, limit, exact ? limit : 1 + random.nextInt(limit));
                }
            }
            second();
        }
    }

    /** With true durations, or shorter ones, no start is put off, and every task starts when promised at the latest. */
    @Test
    void backfill_trueDurations_delaysNoReservation() {
        for (long seed = 0; seed < 12; seed++) {
            BackfillPropertyTest simulation = new BackfillPropertyTest();
            simulation.random(seed, seed % 2 == 0);
            assertThat(simulation.made).as("reservations of seed %s", seed).isGreaterThan(5);
            simulation.promised.forEach((id, promise) -> {
                Instant start = simulation.starts.get(id);
                assertThat(start == null ? simulation.cluster.now() : start)
                        .as("start of %s", id)
                        .isBeforeOrEqualTo(start == null ? simulation.cluster.now() : promise);
                assertThat(start != null
                                || promise.isAfter(simulation.cluster.now().minusSeconds(1)))
                        .as("%s was promised to start by %s", id, promise)
                        .isTrue();
            });
        }
    }

    /**
     * Returns when tasks of whole nodes start together, a single task or a gang, beside small tasks that take what
     * gets free.
     */
    private Duration waitOfLarge(ReservationProperties properties, int count) {
        Random random = new Random(1);
        configure(properties, 3);
        int horizon = 600;
        for (int second = 0; second < horizon; second++) {
            if (second == 100) {
                if (count == 1) {
                    submit("large", "c", CORES, 50, 50);
                } else {
                    submitGang("large", "c", count, CORES, 50);
                }
            }
            for (int i = 0; i < 2; i++) {
                int limit = 1 + random.nextInt(LIMIT_MAX);
                submit("s" + second + "-" + i, i == 0 ? "a" : "b", 1, limit, 1 + random.nextInt(limit));
            }
            second();
        }
        Instant start = starts.get("large");
        return start == null
                ? Duration.ofSeconds(horizon)
                : Duration.between(ClusterUnderTest.BEGIN.plusSeconds(100), start);
    }

    /** After the delay every running task ends within its limit, and no task takes the reserved node longer. */
    @Test
    void largeTask_streamOfSmallTasks_startsWithinBound() {
        Duration bound = DELAY.plusSeconds(LIMIT_MAX);
        assertThat(waitOfLarge(ReservationProperties.DEFAULTS, 1)).isLessThanOrEqualTo(bound);
    }

    @Test
    void largeTask_streamOfSmallTasksWithoutReservations_starves() {
        assertThat(waitOfLarge(new ReservationProperties(null, 0), 1)).isGreaterThanOrEqualTo(Duration.ofSeconds(499));
    }

    /** A gang that takes the whole cluster, or most of it, waits no longer than a single task. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void gang_streamOfSmallTasks_startsWithinBound(int count) {
        Duration bound = DELAY.plusSeconds(LIMIT_MAX);
        assertThat(waitOfLarge(ReservationProperties.DEFAULTS, count)).isLessThanOrEqualTo(bound);
    }

    /**
     * Returns when tasks of whole nodes start together beside small ones without time limits, of which every sixth runs
     * three times as long as expected.
     */
    private Duration waitBesideOverruns(int nodes, int count, int delaysMax) {
        Random random = new Random(2);
        configure(new ReservationProperties(null, null, delaysMax), nodes);
        durations.put("large", 50);
        for (int second = 0; second < 3_000 && !starts.containsKey("large"); second++) {
            if (second == 100) {
                TaskSpec task = TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(CORES)));
                cluster.submit(ApplicationSpec.sealed("large", "root.c", task).withGang(Gang.of(Map.of("t", count))));
            }
            for (int i = 0; i < nodes; i++) {
                String id = "s" + second + "-" + i;
                int expected = 1 + random.nextInt(LIMIT_MAX);
                durations.put(id, random.nextInt(6) == 0 ? 3 * expected : expected);
                cluster.submitSealed(
                        id,
                        i % 2 == 0 ? "root.a" : "root.b",
                        TaskSpec.single("t", Resources.parse("vcore", "1"))
                                .withExpectedDuration(Duration.ofSeconds(expected)));
            }
            second(false);
        }
        return Duration.between(
                ClusterUnderTest.BEGIN.plusSeconds(100), starts.getOrDefault("large", Instant.MAX.minusSeconds(1)));
    }

    /** A reservation that was put off often keeps its nodes, and nothing else starts there. */
    @ParameterizedTest
    @CsvSource({"3, 1", "3, 3", "6, 6"})
    void large_besideOverruns_startsWithinBound(int nodes, int count) {
        Duration last = Duration.ofSeconds(3 * LIMIT_MAX);
        Duration untilFirm = Duration.ofSeconds(8L * LIMIT_MAX);
        assertThat(waitBesideOverruns(nodes, count, 8))
                .isLessThanOrEqualTo(DELAY.plus(untilFirm).plus(last));
    }

    @Test
    void gang_besideOverrunsWithoutFirmReservation_starves() {
        assertThat(waitBesideOverruns(3, 3, Integer.MAX_VALUE)).isGreaterThan(Duration.ofSeconds(2_900));
    }

    @Test
    void gang_streamOfSmallTasksWithoutReservations_starves() {
        assertThat(waitOfLarge(new ReservationProperties(null, 0), 2)).isGreaterThanOrEqualTo(Duration.ofSeconds(499));
    }
}
