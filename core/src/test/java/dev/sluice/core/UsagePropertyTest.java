package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.share.UsageFigures;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Invariants of cycles with share policy usage above and below other policies, on random submissions.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class UsagePropertyTest {

    private static final int CLUSTERS = 150;
    private static final int STEPS = 25;

    /** What must have happened for the checks to be meaningful. */
    private long placements;

    private long fullCycles;
    private long replays;

    @Test
    @Tag("slow")
    void cycles_ofUsageQueues_holdInvariants() {
        long only = Long.getLong("sluice.seed", -1);
        for (long seed = Math.max(0, only); seed < (only < 0 ? CLUSTERS : only + 1); seed++) {
            RandomUsageCluster cluster = new RandomUsageCluster(new SplittableRandom(seed));
            try {
                cluster.run();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(
                        "seed " + seed + ": " + failure.getMessage() + "\nafter\n  "
                                + String.join("\n  ", cluster.trace),
                        failure);
            }
        }
        if (only < 0) {
            assertThat(placements).as("placements").isGreaterThan(10L * CLUSTERS);
            assertThat(fullCycles).as("cycles with pending tasks left").isGreaterThan(CLUSTERS);
            assertThat(replays).as("cycles compared with a replay").isGreaterThan(CLUSTERS);
        }
    }

    /** One cluster: nodes of all sizes and a random tree in which most parents share by usage. */
    private final class RandomUsageCluster {

        private final SplittableRandom random;
        private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        private final List<String> leaves = new ArrayList<>();
        private final List<String> trace = new ArrayList<>();
        private int applications;

        RandomUsageCluster(SplittableRandom random) {
            this.random = random;
            boolean slots = random.nextInt(3) == 0;
            QueueConfiguration root = queue("root", 0);
            cluster.queues(root).handle(new Command.SetSeed("default", random.nextLong()));
            trace.add("queues " + root);
            int nodes = 1 + random.nextInt(6);
            for (int i = 0; i < nodes; i++) {
                String cores = "" + (1 + random.nextInt(8));
                String[] capacity = slots
                        ? new String[] {"vcore", cores, "memory", cores + "Gi", "slots", "" + (1 + random.nextInt(6))}
                        : new String[] {"vcore", cores, "memory", cores + "Gi", "gpu", "" + random.nextInt(3)};
                trace.add("n" + i + List.of(capacity));
                cluster.node("n" + i, capacity);
            }
        }

        private QueueConfiguration queue(String path, int level) {
            List<QueueConfiguration> children = new ArrayList<>();
            if (level == 0 || (level < 3 && random.nextInt(3) == 0)) {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    children.add(queue(path + "." + "abcd".charAt(i), level + 1));
                }
            } else {
                leaves.add(path);
            }
            ApplicationSortPolicy[] sorts = ApplicationSortPolicy.values();
            SharePolicyKind[] shares = {
                SharePolicyKind.FAIR, SharePolicyKind.LOAD, SharePolicyKind.USAGE, SharePolicyKind.USAGE
            };
            double factor = new double[] {1, 1, 2, 4, 0.1}[random.nextInt(5)];
            QueueProperties properties = QueueProperties.DEFAULTS
                    .withApplicationSortPolicy(sorts[random.nextInt(sorts.length)])
                    .withSharePolicy(children.isEmpty() ? SharePolicyKind.FAIR : shares[random.nextInt(4)])
                    .withLoad(LoadProperties.ofClass(10 + random.nextInt(40)))
                    .withUsage(new UsageProperties(Duration.ofMinutes(20), random.nextInt(4) == 0, 1_000_000, factor));
            String name = path.substring(path.lastIndexOf('.') + 1);
            return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, children);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(4)) {
                    case 0, 1 -> submit();
                    case 2 -> end();
                    default -> cluster.advance(Duration.ofSeconds(random.nextInt(600)));
                }
                cycle();
            }
            cluster.scheduler().check();
        }

        private void submit() {
            List<TaskSpec> tasks = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                List<String> amounts = new ArrayList<>(List.of("vcore", random.nextInt(20) * 250 + "m"));
                if (random.nextBoolean()) {
                    amounts.addAll(List.of("memory", random.nextInt(4) + "Gi"));
                }
                if (random.nextInt(5) == 0) {
                    amounts.addAll(List.of("gpu", "1"));
                }
                int count = 1 + random.nextInt(8);
                tasks.add(TaskSpec.of("t" + i, count, Resources.parse(amounts.toArray(new String[0]))));
            }
            String queue = leaves.get(random.nextInt(leaves.size()));
            trace.add("x" + applications + " to " + queue + ": " + tasks);
            cluster.submitSealed("x" + applications++, queue, tasks.toArray(new TaskSpec[0]));
        }

        private void end() {
            for (Task task : cluster.placed()) {
                if (random.nextInt(3) == 0) {
                    trace.add(task + " ends");
                    cluster.succeed(task.toString());
                }
            }
        }

        private void cycle() {
            CheckedScheduler scheduler = cluster.scheduler();
            var replayed = random.nextInt(8) == 0 ? scheduler.fold() : null;
            placements += cluster.cycle().size();
            List<Event> events = cluster.events();
            trace.add("cycle: " + events.stream().map(Event::toString).toList());
            if (replayed != null) {
                replays++;
                assertThat(replayed.cycle("default", cluster.now())).isEqualTo(events);
            }
            boolean waits = false;
            for (Application application : cluster.partition().applications()) {
                for (TaskGroup group : application.groups()) {
                    if (group.pending() > 0) {
                        waits = true;
                        checkNothingFits(application, group);
                    }
                }
            }
            fullCycles += waits ? 1 : 0;
            for (Queue queue : cluster.partition().queues().all()) {
                if (scheduler.scheduler().figuresOf("default", queue, cluster.now()) instanceof UsageFigures figures) {
                    assertThat(figures.fraction()).as("fraction of %s", queue).isBetween(0.0, 1.0);
                }
            }
        }

        /**
         * No pending task fits free capacity, unless it is behind a starting application or its class has no idle
         * worker.
         */
        private void checkNothingFits(Application application, TaskGroup group) {
            if (mayBeBehindStarting(application) || (isBelowLoad(application.queue()) && !hasIdleWorkers())) {
                return;
            }
            for (Node node : cluster.partition().nodes()) {
                boolean fits = true;
                for (int type = 0; type < group.demand().length; type++) {
                    fits &= group.demand()[type] == 0 || group.demand()[type] <= node.free(type);
                }
                assertThat(fits)
                        .as("%s of %s fits %s", group.spec(), application, node)
                        .isFalse();
            }
        }

        private boolean mayBeBehindStarting(Application application) {
            return application.queue().sortPolicy() == ApplicationSortPolicy.STATE_AWARE
                    && application.state() != ApplicationState.RUNNING
                    && application.queue().applications().stream()
                            .anyMatch(other -> other != application
                                    && (other.state() == ApplicationState.ACCEPTED
                                            || other.state() == ApplicationState.STARTING));
        }

        private boolean isBelowLoad(Queue queue) {
            boolean load = false;
            for (Queue above = queue.parent(); above != null; above = above.parent()) {
                load |= above.sharePolicy() == SharePolicyKind.LOAD;
            }
            return load;
        }

        /**
         * Whether load classes have idle workers; unclear if nodes declare no slots, since then more tasks than workers
         * may run.
         */
        private boolean hasIdleWorkers() {
            return cluster.partition().countsSlots()
                    && cluster.partition().nodes().stream()
                                    .mapToLong(Node::idleWorkers)
                                    .sum()
                            > 0;
        }
    }
}
