package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.LoadProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.TaskRefs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Invariants of cycles of load classes on workers of one slot each, on random submissions and task ends.
 *
 * <p>A failure prints its seed; {@code -Dsluice.seed=N} runs only that one.
 */
class LoadPropertyTest {

    private static final String PARTITION = "default";
    private static final int CLUSTERS = 200;
    private static final int STEPS = 40;
    private static final Duration MINIMUM = Duration.ofSeconds(10);

    /** What must have happened for the checks to be meaningful. */
    private long fullCycles;

    private long rebalances;
    private long quietCycles;

    @Test
    @Tag("slow")
    void cycles_ofLoadClasses_holdInvariants() {
        long only = Long.getLong("sluice.seed", -1);
        for (long seed = Math.max(0, only); seed < (only < 0 ? CLUSTERS : only + 1); seed++) {
            RandomLoadCluster cluster = new RandomLoadCluster(new RandomSource(seed));
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
            assertThat(fullCycles).as("cycles with pending tasks left").isGreaterThan(CLUSTERS);
            assertThat(rebalances).as("rebalances").isGreaterThan(CLUSTERS);
            assertThat(quietCycles).as("cycles right after a rebalance").isGreaterThan(CLUSTERS);
        }
    }

    /** One cluster: workers of one slot and a root that shares by load, with classes of every kind below it. */
    private final class RandomLoadCluster {

        private final RandomSource chance;
        private final ClusterUnderTest cluster = new ClusterUnderTest(new CheckedScheduler());
        private final List<String> leaves = new ArrayList<>();
        private final List<String> trace = new ArrayList<>();
        private final int workers;
        private int throttle = -1;
        private int applications;

        RandomLoadCluster(RandomSource chance) {
            this.chance = chance;
            workers = 1 + chance.below(20);
            QueueConfiguration root = parent("root", 1 + chance.below(30), 0);
            cluster.queues(root).nodes("w", workers, "slots", "1");
            trace.add(workers + " workers, " + root);
        }

        private QueueConfiguration parent(String path, int threshold, int percent) {
            List<QueueConfiguration> children = new ArrayList<>();
            int count = 1 + chance.below(4);
            for (int i = 0; i < count; i++) {
                String child = path + "." + "abcd".charAt(i);
                // all classes below a class are served: their pending tasks count as waiting, even if never served
                boolean top = path.equals("root");
                int load = top ? chance.of(0, 10, 20, 30, 50, 70) : chance.of(10, 20, 50);
                if (top && chance.percent(20)) {
                    children.add(parent(child, 0, load));
                } else {
                    leaves.add(child);
                    children.add(queue(child, SharePolicyKind.FAIR, load, 0, List.of()));
                }
            }
            return queue(path, SharePolicyKind.LOAD, percent, threshold, children);
        }

        private QueueConfiguration queue(
                String path, SharePolicyKind policy, int percent, int threshold, List<QueueConfiguration> children) {
            ApplicationSortPolicy sort = chance.of(
                    ApplicationSortPolicy.FIFO, ApplicationSortPolicy.FAIR, ApplicationSortPolicy.FEWEST_RUNNING);
            QueueProperties properties = QueueProperties.DEFAULTS
                    .withApplicationSortPolicy(sort)
                    .withSharePolicy(policy)
                    .withLoad(new LoadProperties(percent, threshold, MINIMUM));
            String name = path.substring(path.lastIndexOf('.') + 1);
            return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, properties, children);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (chance.below(7)) {
                    case 0, 1 -> submit();
                    case 2 -> end(chance.of(10, 50, 100), false);
                    case 3 -> end(70, true);
                    case 4 -> setting();
                    default -> advance();
                }
                cycle();
            }
            cluster.scheduler().check();
        }

        private void submit() {
            TaskSpec tasks = TaskSpec.of("t", 1 + chance.below(2 * workers), Resources.NONE);
            ApplicationSpec spec = ApplicationSpec.sealed("x" + applications++, chance.of(leaves), tasks);
            handle(new Command.SubmitApplication(PARTITION, spec));
        }

        /** Ends this percentage of the preempting tasks, or of the others. */
        private void end(int percent, boolean preempting) {
            for (Task task : cluster.placed()) {
                if (task.isPreempting() == preempting && !task.isReserved() && chance.percent(percent)) {
                    String application = task.application().id();
                    handle(
                            preempting
                                    ? new Command.ReportTaskFailed(
                                            TaskRefs.run(PARTITION, application, task.id(), 0), 1, "")
                                    : new Command.ReportTaskSucceeded(
                                            TaskRefs.run(PARTITION, application, task.id(), 0)));
                }
            }
        }

        private void setting() {
            if (chance.percent(30)) {
                throttle = chance.of(-1, -1, chance.below(workers + 1));
                handle(new Command.SetThrottle(PARTITION, throttle));
            } else {
                Queue root = cluster.queue("root");
                Map<String, Integer> percents = new TreeMap<>();
                root.children().forEach(child -> percents.put(child.name(), chance.of(0, 10, 30, 60, 100)));
                handle(new Command.SetClassLoadPercents(PARTITION, "root", percents));
            }
        }

        private void advance() {
            cluster.startAll();
            trace.add("all started, time passes");
            cluster.advance(MINIMUM);
        }

        private void handle(Command command) {
            trace.add(command.toString());
            cluster.handle(command);
        }

        private void cycle() {
            // a class also waits for its preempting tasks, but cannot start them yet: workers that others free for
            // those come too early
            boolean preempting = cluster.queue("root").preemptingTasks() > 0;
            if (!check() || preempting) {
                return;
            }
            rebalances++;
            for (int i = 0; i < 3; i++) {
                end(chance.of(0, 50, 100), true);
                cluster.advance(MINIMUM);
                assertThat(check()).as("a rebalance right after a rebalance").isFalse();
                quietCycles++;
            }
        }

        /** Runs and checks a cycle; returns whether it rebalanced. */
        private boolean check() {
            long before = cluster.queue("root").allocatedTasks();
            long preempting = cluster.queue("root").preemptingTasks();
            cluster.cycle();
            List<Event> events = cluster.events();
            trace.add("cycle: " + events.stream().map(ReferenceCycle::text).toList());
            long placed = cluster.queue("root").allocatedTasks();
            long most = throttle < 0 ? workers : Math.min(workers, throttle);
            assertThat(placed).as("placed, of %s workers", most).isLessThanOrEqualTo(Math.max(before, most));
            long idle = Math.min(
                    most - placed,
                    cluster.partition().nodes().stream()
                            .mapToLong(Node::idleWorkers)
                            .sum());
            List<String> waiting = leaves.stream()
                    .filter(this::isServed)
                    .filter(this::hasWaiting)
                    .toList();
            fullCycles += waiting.isEmpty() ? 0 : 1;
            boolean rebalanced = events.stream().anyMatch(PartitionEvent.Rebalanced.class::isInstance);
            if (idle > (rebalanced ? preempting : 0)) {
                assertThat(waiting)
                        .as("classes that wait while %s workers are idle", idle)
                        .isEmpty();
            }
            Set<String> starts = new LinkedHashSet<>();
            Set<String> stops = new LinkedHashSet<>();
            for (Event event : events) {
                if (event instanceof TaskEvent.Placed start) {
                    starts.add(classOf(start.application()));
                } else if (event instanceof TaskEvent.Stopping stop && stop.reason() == StopReason.REBALANCE) {
                    stops.add(classOf(stop.application()));
                }
            }
            starts.retainAll(stops);
            assertThat(starts).as("classes that start and preempt in one cycle").isEmpty();
            return rebalanced;
        }

        private boolean hasWaiting(String leaf) {
            return cluster.queue(leaf).pendingTasks() > 0;
        }

        /** Whether no class at 0 % is between root and this leaf. */
        private boolean isServed(String leaf) {
            for (Queue queue = cluster.queue(leaf); queue != null && queue.parent() != null; queue = queue.parent()) {
                if (queue.configuration().properties().load().percentOrZero() == 0) {
                    return false;
                }
            }
            return true;
        }

        /** Returns the child of root that contains an application. */
        private String classOf(String application) {
            String[] names = cluster.application(application).queue().path().split("\\.", -1);
            return names[1];
        }
    }
}
