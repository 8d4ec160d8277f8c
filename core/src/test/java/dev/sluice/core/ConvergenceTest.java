package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.QueueTreeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Long-run shares of queues below a parent that shares by usage, in virtual time. */
class ConvergenceTest {

    private static final Duration HALFTIME = Duration.ofMinutes(20);
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final int CORES = 60;

    /** The usage of a cluster full of tasks with one core and memory worth half a core, in cores. */
    private static final double EVERYTHING = 1.5 * CORES;

    /**
     * A cluster of single cores, queues that always have tasks of one core and about two minutes, and their
     * core-seconds.
     */
    private static final class BusyCluster {
        private final Scheduler scheduler = new Scheduler();
        private final SplittableRandom random;
        private final List<TaskEvent.Placed> running = new ArrayList<>();
        private final List<Instant> ends = new ArrayList<>();
        private final Map<String, String> working = new TreeMap<>();
        private final Map<String, Double> coreSeconds = new LinkedHashMap<>();
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");

        BusyCluster(String drawing, long seed) {
            random = new SplittableRandom(seed);
            handle(new Command.ApplyConfiguration(
                    List.of(PartitionConfiguration.of("default", QueueTreeText.of(drawing)))));
            handle(new Command.SetSeed("default", seed));
            for (int i = 0; i < CORES / 4; i++) {
                handle(new Command.RegisterNode(
                        "default", "n" + i, Resources.parse("vcore", "4", "memory", "8Gi"), new TreeMap<>()));
            }
        }

        /** Keeps this queue busy from now on. */
        BusyCluster keepBusy(String queue) {
            TaskSpec tasks = TaskSpec.of("t", 1_000_000, Resources.parse("vcore", "1", "memory", "1Gi"));
            String id = queue + "-" + partition().applications().size();
            handle(new Command.SubmitApplication("default", ApplicationSpec.sealed(id, "root." + queue, tasks)));
            working.put(queue, id);
            return this;
        }

        /** Stops this queue and drops its tasks. */
        void stop(String queue) {
            handle(new Command.CancelApplication("default", Objects.requireNonNull(working.get(queue)), "rests"));
        }

        /** Advances time; tasks end and others start. */
        BusyCluster advance(Duration duration) {
            Instant end = now.plus(duration);
            while (now.isBefore(end)) {
                for (int i = running.size() - 1; i >= 0; i--) {
                    if (!ends.get(i).isAfter(now)) {
                        TaskEvent.Placed task = running.remove(i);
                        ends.remove(i);
                        handle(new Command.ReportTaskSucceeded(task.run()));
                    }
                }
                for (Event event : scheduler.cycle("default", now)) {
                    if (event instanceof TaskEvent.Placed placed) {
                        running.add(placed);
                        ends.add(now.plusSeconds(60 + random.nextInt(120)));
                    }
                }
                for (Queue queue : partition().queues().root().children()) {
                    coreSeconds.merge(queue.name(), queue.allocatedTasks() * (double) STEP.toSeconds(), Double::sum);
                }
                now = now.plus(STEP);
            }
            return this;
        }

        /** Returns a queue's fraction of all core-seconds since the last call. */
        double fraction(String queue) {
            double all = coreSeconds.values().stream()
                    .mapToDouble(Double::doubleValue)
                    .sum();
            return coreSeconds.getOrDefault(queue, 0.0) / all;
        }

        BusyCluster resetCounters() {
            coreSeconds.clear();
            return this;
        }

        double priority(String queue) {
            Queue found = Objects.requireNonNull(partition().queues().find("root." + queue));
            return partition().usage().priority(found, now);
        }

        private Partition partition() {
            return Objects.requireNonNull(scheduler.state().partition("default"));
        }

        private void handle(Command command) {
            assertThat(scheduler.handle(command, now).refusal())
                    .as(command.toString())
                    .isNull();
        }
    }

    private static BusyCluster threeFactors(String probabilistic, long seed) {
        return new BusyCluster("root usage " + probabilistic + "\n├─ a\n├─ b factor(2)\n└─ c factor(4)", seed)
                .keepBusy("a")
                .keepBusy("b")
                .keepBusy("c");
    }

    // root (usage)
    //  ├─ a  factor 1: 1     of 1 + 1 ÷ √2 + 1 ÷ 2
    //  ├─ b  factor 2: 1 ÷ √2
    //  └─ c  factor 4: 1 ÷ 2
    @Test
    void busyQueues_longRun_shareByInverseRootOfFactor() {
        for (long seed = 1; seed <= 3; seed++) {
            for (String probabilistic : new String[] {"", "probabilistic"}) {
                BusyCluster cluster = threeFactors(probabilistic, seed)
                        .advance(HALFTIME.multipliedBy(3))
                        .resetCounters();
                cluster.advance(HALFTIME.multipliedBy(10));
                assertThat(cluster.fraction("a"))
                        .as("a, %s, seed %s", probabilistic, seed)
                        .isEqualTo(0.453, within(0.02));
                assertThat(cluster.fraction("b"))
                        .as("b, %s, seed %s", probabilistic, seed)
                        .isEqualTo(0.320, within(0.02));
                assertThat(cluster.fraction("c"))
                        .as("c, %s, seed %s", probabilistic, seed)
                        .isEqualTo(0.227, within(0.02));
            }
        }
    }

    @Test
    void slicesAndProbabilisticAll_longRun_agree() {
        BusyCluster slices = threeFactors("", 7).advance(HALFTIME.multipliedBy(20));
        BusyCluster drawn = threeFactors("probabilistic", 7).advance(HALFTIME.multipliedBy(20));
        for (String queue : List.of("a", "b", "c")) {
            assertThat(slices.fraction(queue)).as(queue).isEqualTo(drawn.fraction(queue), within(0.01));
        }
    }

    // root (usage)
    //  ├─ old   busy, then idle for ten half-lives
    //  ├─ new   without any usage
    //  └─ busy  always busy
    @Test
    void queue_idleForTenHalfLives_startsLikeNew() {
        BusyCluster cluster = new BusyCluster("root usage\n├─ old\n├─ new\n└─ busy", 1)
                .keepBusy("busy")
                .keepBusy("old")
                .advance(HALFTIME.multipliedBy(5));
        assertThat(cluster.priority("old")).isEqualTo(EVERYTHING / 2, within(2.0));
        cluster.stop("old");
        cluster.advance(HALFTIME.multipliedBy(10)).resetCounters();
        assertThat(cluster.priority("old")).isLessThan(0.05);

        cluster.keepBusy("old").keepBusy("new").advance(HALFTIME);

        assertThat(cluster.fraction("old")).isEqualTo(cluster.fraction("new"), within(0.01));
        assertThat(cluster.fraction("old")).isGreaterThan(1.2 * cluster.fraction("busy"));
    }

    // root (usage)
    //  ├─ a  had everything for a day
    //  └─ b  has tasks from then on
    @Test
    void queue_withHighUsage_yieldsUntilOthersCatchUp() {
        BusyCluster cluster =
                new BusyCluster("root usage\n├─ a\n└─ b", 1).keepBusy("a").advance(Duration.ofDays(1));
        assertThat(cluster.priority("a")).isEqualTo(EVERYTHING, within(0.5));

        cluster.keepBusy("b").advance(Duration.ofMinutes(4)).resetCounters().advance(Duration.ofMinutes(5));
        assertThat(cluster.fraction("b")).as("while a has used more").isGreaterThan(0.8);

        cluster.advance(HALFTIME.multipliedBy(4)).resetCounters().advance(HALFTIME.multipliedBy(4));
        assertThat(cluster.fraction("b")).as("after it has caught up").isEqualTo(0.5, within(0.01));
        assertThat(cluster.priority("a")).isEqualTo(cluster.priority("b"), within(1.0));
    }
}
