package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Without submissions and task ends rebalancing terminates, however much tasks differ, and no task is preempted in
 * vain.
 *
 * <p>Each rebalance lowers the total shortfall of classes with startable tasks below their entitlements: its
 * beneficiaries are in such a class, and no class loses more than it has beyond its entitlement. So there are at most
 * as many rebalances as workers.
 */
class RebalanceConvergenceTest {

    private static final int CLUSTERS = 300;
    private static final Duration MINIMUM = Duration.ofSeconds(10);

    private long rebalances;
    private long unlike;

    @Test
    void rebalances_withoutExternalEvents_terminate() {
        long only = Long.getLong("sluice.seed", -1);
        for (long seed = Math.max(0, only); seed < (only < 0 ? CLUSTERS : only + 1); seed++) {
            try {
                check(new RandomSource(seed));
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
        if (only < 0) {
            assertThat(rebalances).as("rebalances").isGreaterThan(CLUSTERS / 2);
            assertThat(unlike).as("beneficiaries with several victims").isPositive();
        }
    }

    private void check(RandomSource chance) {
        ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        int classes = 2 + chance.below(3);
        List<QueueConfiguration> children = new ArrayList<>();
        for (int i = 0; i < classes; i++) {
            children.add(queue("c" + i, SharePolicyKind.FAIR, chance.of(10, 30, 60), 0, chance, List.of()));
        }
        cluster.queues(queue("root", SharePolicyKind.LOAD, 0, 1 + chance.below(30), chance, children));
        int nodes = 1 + chance.below(4);
        for (int i = 0; i < nodes; i++) {
            String cores = String.valueOf(chance.of(2, 4, 8));
            if (chance.percent(50)) {
                cluster.node("n" + i, "vcore", cores, "slots", cores);
            } else {
                cluster.node("n" + i, "vcore", cores);
            }
        }
        for (int i = 0; i < 3 * classes; i++) {
            Resources resources = Resources.parse("vcore", chance.of("500m", "1", "2", "3", "4"));
            TaskSpec tasks = TaskSpec.of("t", 1 + chance.below(6), resources);
            cluster.submit("x" + i, "root.c" + chance.below(classes), tasks).cycle();
            cluster.startAll();
        }
        long workers = cluster.partition().workers();
        int left = (int) workers + 1;
        for (int quiet = 0; quiet < 3; quiet++) {
            long before = belowEntitlements(cluster.partition());
            if (rebalances(cluster)) {
                quiet = -1;
                left--;
                assertThat(left)
                        .as("remaining rebalances, at most one per worker")
                        .isPositive();
                assertThat(belowEntitlements(cluster.partition()))
                        .as("workers missing to entitlements")
                        .isLessThan(before);
            }
        }
    }

    private static QueueConfiguration queue(
            String name,
            SharePolicyKind policy,
            int percent,
            int threshold,
            RandomSource chance,
            List<QueueConfiguration> children) {
        QueueProperties properties = QueueProperties.DEFAULTS
                .withApplicationSortPolicy(chance.of(ApplicationSortPolicy.FIFO, ApplicationSortPolicy.FEWEST_RUNNING))
                .withSharePolicy(policy)
                .withLoad(new LoadProperties(percent, threshold, MINIMUM));
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, children);
    }

    /** Returns the number of workers missing to all entitlements. */
    private static long belowEntitlements(Partition partition) {
        List<Queue> classes = partition.queues().root().children();
        ReferenceDivision division = ReferenceDivision.allocate(
                partition.workers(),
                0,
                classes.stream()
                        .map(queue -> new ReferenceDivision.Counts(
                                queue.configuration().properties().load().percentOrZero(),
                                queue.allocatedTasks(),
                                0,
                                0))
                        .toList());
        return division.classes.stream()
                .mapToLong(share -> Math.max(0, share.entitlement - share.running))
                .sum();
    }

    /**
     * Runs cycles for the minimum duration, ending preempted tasks but no others; returns whether anything was
     * rebalanced.
     */
    private boolean rebalances(ClusterUnderTest cluster) {
        cluster.cycle();
        cluster.advance(MINIMUM).cycle();
        List<Event> events = cluster.events();
        int stops = 0;
        Set<String> nodes = new HashSet<>();
        for (Event event : events) {
            if (event instanceof TaskEvent.Stopping) {
                stops++;
            } else if (event instanceof TaskEvent.Placed placed && stops > 0) {
                unlike += stops > 1 ? 1 : 0;
                stops = 0;
                nodes.add(placed.node());
            }
        }
        assertThat(stops).as("victims without a placed beneficiary").isZero();
        for (Task task : cluster.placed()) {
            if (task.isPreempting()) {
                assertThat(nodes).contains(task.node().name());
                cluster.fail(task.toString());
            }
        }
        cluster.startAll();
        boolean rebalanced = events.stream().anyMatch(PartitionEvent.Rebalanced.class::isInstance);
        rebalances += rebalanced ? 1 : 0;
        return rebalanced;
    }
}
