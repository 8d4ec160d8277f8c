package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How usage is counted and decays. */
@ExtendWith(SchedulerExtension.class)
class UsageDecayTest {

    private static final Duration HALFTIME = Duration.ofMinutes(20);

    private static final String TWO_QUEUES = """
            root usage
            ├─ a
            └─ b
            """;

    private static double priority(ClusterUnderTest cluster, String queue) {
        return cluster.partition().usage().priority(cluster.queue(queue), cluster.now());
    }

    private static double usage(ClusterUnderTest cluster, String queue) {
        return cluster.partition().usage().of(cluster.queue(queue).allocated());
    }

    private static TaskSpec tasks(int count, String... resources) {
        return TaskSpec.of("t", count, Resources.parse(resources));
    }

    /** Adds and removes an empty node, which only brings usage up to date. */
    private static void bringUpToDate(ClusterUnderTest cluster) {
        cluster.node("nothing", Map.of()).removeNode("nothing");
    }

    // root (usage)
    //  ├─ a
    //  └─ b
    @Test
    void priority_updatedInTwoSteps_equalsOneStep(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES)).node("n", "vcore", "8");
        cluster.submit("x", "root.a", tasks(3, "vcore", "1")).cycle();
        CheckedScheduler once = new CheckedScheduler();
        once.restore(cluster.scheduler().journal());

        cluster.advance(Duration.ofMinutes(5));
        bringUpToDate(cluster);
        cluster.advance(Duration.ofMinutes(5));
        bringUpToDate(cluster);

        Partition partition = Objects.requireNonNull(once.state().partition("default"));
        Queue a = Objects.requireNonNull(partition.queues().find("root.a"));
        assertThat(cluster.queue("root.a").usage())
                .isNotNull()
                .matches(record -> record.at().equals(cluster.now()));
        assertThat(priority(cluster, "root.a"))
                .isEqualTo(partition.usage().priority(a, cluster.now()), within(1e-14))
                .isEqualTo(3 * (1 - Math.sqrt(0.5)), within(1e-14));
    }

    @Test
    void priority_underConstantUsage_isIndependentOfUpdates() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
            cluster.queues(QueueTreeText.of(TWO_QUEUES)).node("n", "vcore", "8");
            int cores = 1 + random.nextInt(8);
            double before = random.nextInt(20);
            cluster.handle(new Command.SetUsagePriority("default", "root.a", before));
            cluster.submit("x", "root.a", tasks(cores, "vcore", "1")).cycle();
            Instant begin = cluster.now();
            int updates = 1 + random.nextInt(40);
            for (int i = 0; i < updates; i++) {
                cluster.advance(Duration.ofMillis(random.nextLong(random.nextBoolean() ? 10 : 1_000_000)));
                bringUpToDate(cluster);
            }
            double halftimes = (double) Duration.between(begin, cluster.now()).toMillis() / HALFTIME.toMillis();
            double beta = Math.pow(0.5, halftimes);
            assertThat(priority(cluster, "root.a"))
                    .as("seed %s: %s updates over %s half-times", seed, updates, halftimes)
                    .isEqualTo(beta * before + (1 - beta) * cores, within(1e-12 * Math.max(before, cores)));
        }
    }

    /**
     * Compares with the sum over all runs: a core from s to e contributes 0.5^((now − e) ÷ halftime) − 0.5^((now − s) ÷
     * halftime).
     */
    @Test
    void priority_duringChurn_equalsDecayedUsage() {
        record Run(Instant from, Instant to) {}
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
            cluster.queues(QueueTreeText.of(TWO_QUEUES)).node("n", "vcore", "4");
            cluster.submit("x", "root.a", tasks(500, "vcore", "1"));
            List<Run> runs = new ArrayList<>();
            for (int step = 0; step < 60; step++) {
                for (Task task : cluster.placed()) {
                    if (random.nextInt(4) == 0) {
                        runs.add(new Run(Objects.requireNonNull(task.placedAt()), cluster.now()));
                        cluster.succeed(task.toString());
                    }
                }
                if (random.nextBoolean()) {
                    cluster.cycle();
                }
                cluster.advance(Duration.ofSeconds(random.nextInt(600)));
            }
            cluster.placed().forEach(task -> runs.add(new Run(task.placedAt(), cluster.now())));
            double sum = runs.stream()
                    .mapToDouble(run -> left(run.to(), cluster.now()) - left(run.from(), cluster.now()))
                    .sum();
            assertThat(priority(cluster, "root.a")).as("seed %s", seed).isEqualTo(sum, within(1e-9));
            Partition folded =
                    Objects.requireNonNull(cluster.scheduler().fold().state().partition("default"));
            Queue a = Objects.requireNonNull(folded.queues().find("root.a"));
            assertThat(folded.usage().priority(a, cluster.now()))
                    .as("after a replay, seed %s", seed)
                    .isEqualTo(priority(cluster, "root.a"));
        }
    }

    private static double left(Instant of, Instant now) {
        return Math.pow(0.5, (double) Duration.between(of, now).toMillis() / HALFTIME.toMillis());
    }

    @Test
    void resourceFactors_fromNodes_countReadyOnes(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES))
                .node("n", "vcore", "10", "memory", "20G")
                .node("m", "vcore", "10", "memory", "60G")
                .submit("x", "root.a", tasks(1, "memory", "8G"))
                .cycle();
        assertThat(usage(cluster, "root.a")).isEqualTo(2, within(1e-12));

        String other = cluster.placed().get(0).node().name().equals("n") ? "m" : "n";
        cluster.suspend(other);
        assertThat(usage(cluster, "root.a")).isEqualTo(other.equals("m") ? 4 : 8 / 6.0, within(1e-12));
    }

    @Test
    void usage_beforeNodeRemoved_usesPreviousTotals(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES))
                .node("n", "vcore", "10", "memory", "20G")
                .submit("x", "root.a", tasks(1, "memory", "8G"))
                .cycle();
        cluster.advance(HALFTIME).node("m", "memory", "20G");
        assertThat(usage(cluster, "root.a")).isEqualTo(2, within(1e-12));
        assertThat(priority(cluster, "root.a")).isEqualTo(2, within(1e-12));

        cluster.advance(HALFTIME).updateNode("m", "memory", "60G");
        assertThat(usage(cluster, "root.a")).isEqualTo(1, within(1e-12));
        assertThat(priority(cluster, "root.a")).isEqualTo(2, within(1e-12));
        assertThat(priority(cluster.advance(HALFTIME), "root.a")).isEqualTo(1.5, within(1e-12));
    }

    @Test
    void usage_withoutReadyNodes_isZero(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES))
                .node("n", "vcore", "10", "memory", "20G", "slots", "5")
                .submit("x", "root.a", tasks(9, "memory", "1G"))
                .cycle();
        cluster.suspend("n").advance(HALFTIME);
        assertThat(cluster.cycle()).isEmpty();
        assertThat(usage(cluster, "root.a")).isZero();
        assertThat(priority(cluster, "root.a")).isZero();
    }

    @Test
    void usage_withoutCores_isCountedInWorkers(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES)).nodes("w", 8, "slots", "1", "gpu", "2");
        cluster.submit("x", "root.a", tasks(3, "gpu", "2")).cycle();
        assertThat(usage(cluster, "root.a")).isEqualTo(6, within(1e-12));
    }

    // root (usage)         root (fair)         root (usage)
    //  ├─ a           →     ├─ a          →     ├─ a
    //  └─ b                 └─ b                └─ b
    @Test
    void usage_policyDisabledAndEnabled_restarts(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES)).node("n", "vcore", "8");
        cluster.submit("x", "root.a", tasks(4, "vcore", "1")).cycle();
        cluster.advance(HALFTIME);
        assertThat(priority(cluster, "root.a")).isEqualTo(2, within(1e-12));
        cluster.queues(QueueTreeText.of("root\n├─ a\n└─ b")).advance(HALFTIME);
        assertThat(cluster.queue("root.a").usage()).isNull();
        cluster.queues(QueueTreeText.of(TWO_QUEUES));
        assertThat(priority(cluster, "root.a")).isZero();
    }

    @Test
    void halfLife_changed_appliesFromThen(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES)).node("n", "vcore", "8");
        cluster.submit("x", "root.a", tasks(4, "vcore", "1")).cycle();
        cluster.advance(HALFTIME).queues(QueueTreeText.of("root usage halftime(PT10M)\n├─ a\n└─ b"));
        assertThat(priority(cluster, "root.a")).isEqualTo(2, within(1e-12));
        assertThat(priority(cluster.advance(HALFTIME), "root.a")).isEqualTo(3.5, within(1e-12));
    }

    // root (usage)
    //  └─ teams (usage)
    //      └─ (dynamic, per user)
    @Test
    void dynamicQueue_removedAndCreatedAgain_keepsUsage(ClusterUnderTest cluster) {
        PlacementRule teams =
                new PlacementRule(PlacementRule.Kind.FIXED, "root.teams", true, null, RuleFilter.EVERYBODY);
        PlacementRule user = new PlacementRule(PlacementRule.Kind.USER, "", true, teams, RuleFilter.EVERYBODY);
        cluster.configure(new PartitionConfiguration(
                        "default",
                        QueueTreeText.of("root usage\n└─ teams parent usage"),
                        List.of(user),
                        NodeSortPolicy.FAIR,
                        PartitionConfiguration.DEFAULT_WEIGHTS,
                        false))
                .node("n", "vcore", "8");
        submit(cluster, "first");
        cluster.cycle();
        cluster.startAll().advance(HALFTIME);
        assertThat(priority(cluster, "root.teams.alice")).isEqualTo(2, within(1e-12));

        cluster.succeedAll("first").advance(HALFTIME).cycle();
        assertThat(cluster.partition().queues().find("root.teams.alice")).isNull();
        assertThat(cluster.partition().usage().removedQueues()).containsOnlyKeys("root.teams.alice");
        assertThat(priority(cluster, "root.teams")).isEqualTo(1, within(1e-12));

        submit(cluster.advance(HALFTIME), "second");
        assertThat(cluster.partition().usage().removedQueues()).isEmpty();
        assertThat(priority(cluster, "root.teams.alice")).isEqualTo(0.5, within(1e-12));
    }

    private static void submit(ClusterUnderTest cluster, String id) {
        cluster.submit(ApplicationSpec.sealed(id, null, tasks(4, "vcore", "1")).withUser("alice"));
    }

    // root (usage)        root (usage)        root (usage)
    //  ├─ a           →    └─ b          →     ├─ a
    //  └─ b                                    └─ b
    @Test
    void configuredQueue_removedAndAddedAgain_keepsUsage(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of(TWO_QUEUES)).node("n", "vcore", "8");
        cluster.handle(new Command.SetUsagePriority("default", "root.a", 8));
        cluster.advance(HALFTIME)
                .queues(QueueTreeText.of("root usage\n└─ b"))
                .advance(HALFTIME)
                .queues(QueueTreeText.of(TWO_QUEUES))
                .advance(HALFTIME);
        assertThat(priority(cluster, "root.a")).isEqualTo(1, within(1e-12));
    }
}
