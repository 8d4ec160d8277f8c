package dev.sluice.simulator.simulation;

import static dev.sluice.simulator.simulation.SimulationScenario.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.UserFigures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random workloads under several configurations: allocations never exceed capacities, and all tasks are accounted for.
 */
class ConservationTest {

    private static final String[] CONFIGURATIONS = {
        "queues: [{name: root, queues: [{name: a}, {name: b}, {name: c}]}]", """
        nodesortpolicy: {type: binpacking}
        queues:
          - name: root
            queues:
              - {name: a, resources: {guaranteed: {vcore: 2}}, properties: {application.sort.policy: stateaware}}
              - {name: b, resources: {max: {vcore: 3}}, properties: {application.sort.policy: fair}}
              - {name: c, properties: {task.timeout: 40s}}
        """, """
        queues:
          - name: root
            properties: {queue.share.policy: load, load.rebalance.threshold: 10, load.rebalance.minimumduration: 7s}
            queues:
              - {name: a, properties: {load.percent: 50, application.sort.policy: fewestrunning}}
              - {name: b, properties: {load.percent: 30}}
              - {name: c, properties: {load.percent: 20}}
        """, """
        queues:
          - name: root
            properties: {queue.share.policy: usage, usage.priority.halftime: 30s}
            queues:
              - {name: a, properties: {usage.priority.factor: 3}}
              - {name: b}
              - {name: c}
        """
    };

    static List<Integer> seeds() {
        List<Integer> seeds = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            seeds.add(i);
        }
        return seeds;
    }

    /** Returns a random scenario; the configuration depends on the seed. */
    static SimulationScenario random(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String configuration = CONFIGURATIONS[seed % CONFIGURATIONS.length];
        SimulationScenario scenario = SimulationScenario.queues(configuration).seed(seed);
        int nodes = 1 + random.nextInt(4);
        for (int i = 0; i < nodes; i++) {
            scenario.cores(1 + random.nextInt(6));
        }
        int applications = 1 + random.nextInt(40);
        double at = 0;
        for (int i = 0; i < applications; i++) {
            at += random.nextInt(3) * random.nextInt(8);
            submit(scenario, random, at, i);
        }
        if (random.nextInt(3) == 0) {
            scenario.until(random.nextInt((int) at + 60));
        }
        return scenario;
    }

    private static void submit(SimulationScenario scenario, SplittableRandom random, double at, int number) {
        int kinds = 1 + random.nextInt(3);
        List<TaskSpec> tasks = new ArrayList<>();
        double[] seconds = new double[kinds];
        for (int i = 0; i < kinds; i++) {
            TaskSpec task = task("t" + i, 1 + random.nextInt(5), random.nextInt(20) == 0 ? 9 : random.nextInt(4))
                    .withPriority(random.nextInt(3));
            if (i > 0 && random.nextBoolean()) {
                task = task.withAfter(Map.of(
                        "t" + random.nextInt(i),
                        random.nextBoolean() ? TaskCondition.SUCCEEDED : TaskCondition.STARTED));
            }
            if (random.nextInt(4) == 0) {
                task = task.withAttempts(random.nextInt(3), Duration.ofSeconds(1 + random.nextInt(20)));
            }
            tasks.add(task);
            seconds[i] = random.nextInt(5) == 0 ? 0 : random.nextInt(30);
        }
        String id = random.nextInt(15) == 0 ? "twice" : "app" + number;
        String queue = random.nextInt(20) == 0 ? "root.none" : "root." + "abc".charAt(random.nextInt(3));
        scenario.submit(
                at,
                ApplicationSpec.sealed(id, queue, tasks.toArray(new TaskSpec[0]))
                        .withUser("user" + random.nextInt(4))
                        .withOnFailure(random.nextInt(4) == 0 ? FailurePolicy.STOP : FailurePolicy.CONTINUE),
                seconds);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("slow")
    void run_randomWorkload_conservesResources(int seed) throws IOException {
        SimulationScenario scenario = random(seed);
        Simulation[] running = new Simulation[1];
        int[] instants = new int[1];
        Simulation simulation = new Simulation(
                scenario.setup(),
                (now, events, ended) -> {
                    instants[0]++;
                    checkNodes(running[0].state().partitions().iterator().next());
                },
                1);
        running[0] = simulation;
        RunFigures figures = simulation.run();

        assertThat(instants[0]).isPositive();
        checkTasks(figures, simulation.state().partitions().iterator().next());
        checkSums(figures);
        checkResources(figures);
    }

    /** Allocations on a node fit, not counting victims that are ending; and root holds the sum of the nodes. */
    private static void checkNodes(Partition partition) {
        long[] held = new long[partition.types().size()];
        for (Node node : partition.nodes()) {
            long[] standing = new long[held.length];
            for (Task task : node.tasks()) {
                assertThat(task.isPreempting()).isFalse(); // stopped tasks end immediately
                assertThat(task.isReserved()).isFalse();
                Arrays.setAll(standing, type -> standing[type] + task.demand(type));
            }
            for (int type = 1; type < standing.length; type++) {
                assertThat(standing[type]).isLessThanOrEqualTo(node.capacity(type));
            }
            Arrays.setAll(held, type -> held[type] + standing[type]);
        }
        for (int type = 0; type < held.length; type++) {
            assertThat(held[type]).isEqualTo(partition.queues().root().allocated(type));
        }
    }

    private static void checkTasks(RunFigures figures, Partition partition) {
        long unallocated = 0;
        long placed = 0;
        long waitsAgain = 0;
        for (Application application : partition.applications()) {
            for (TaskGroup group : application.groups()) {
                unallocated += group.unallocated();
                placed += group.allocatedCount();
                for (int i = 0; i < group.kind().size(); i++) {
                    waitsAgain += group.isUnallocated(i) && group.attempts(i) > 0 ? 1 : 0;
                }
            }
        }
        TaskFigures total = figures.total();
        assertThat(total.running()).isEqualTo(placed);
        assertThat(total.waitingAgain()).isEqualTo(waitsAgain);
        assertThat(total.neverStarted()).isEqualTo(unallocated - waitsAgain);
        assertThat(total.slowdown().count()).isEqualTo(total.succeeded());
        assertThat(total.starts()).isGreaterThanOrEqualTo(total.waiting().count());
        // every started run succeeded, was stopped, or is still running
        assertThat(total.starts()).isEqualTo(total.succeeded() + total.stops() + total.running());
        assertThat(total.waiting().count())
                .isBetween(total.tasks() - total.neverStarted() - total.failed(), total.tasks() - total.neverStarted());
        assertThat(total.longestWaitSeconds())
                .isGreaterThanOrEqualTo(total.waiting().max());
    }

    private static void checkSums(RunFigures figures) {
        List<TaskFigures> leaves = figures.queues().stream()
                .filter(QueueFigures::leaf)
                .map(QueueFigures::tasks)
                .toList();
        List<TaskFigures> users =
                figures.users().stream().map(UserFigures::tasks).toList();
        List<ToLongFunction<TaskFigures>> counts = List.of(
                TaskFigures::tasks,
                TaskFigures::starts,
                TaskFigures::succeeded,
                TaskFigures::failed,
                TaskFigures::stops,
                TaskFigures::preempted,
                TaskFigures::timedOut,
                TaskFigures::neverStarted,
                TaskFigures::running,
                TaskFigures::waitingAgain);
        TaskFigures root = figures.queues().get(0).tasks();
        for (ToLongFunction<TaskFigures> count : counts) {
            long total = count.applyAsLong(figures.total());
            assertThat(leaves.stream().mapToLong(count).sum()).isEqualTo(total);
            assertThat(users.stream().mapToLong(count).sum()).isEqualTo(total);
            assertThat(count.applyAsLong(root)).isEqualTo(total);
        }
        assertThat(leaves.stream().mapToLong(TaskFigures::applications).sum())
                .isEqualTo(figures.total().applications() - figures.total().rejected());
        assertThat(users.stream().mapToLong(TaskFigures::applications).sum())
                .isEqualTo(figures.total().applications());
        for (String type : List.of("slots", "vcore")) {
            ToDoubleFunction<TaskFigures> used = tasks -> tasks.used().getOrDefault(type, 0.0);
            double total = used.applyAsDouble(figures.total());
            assertThat(leaves.stream().mapToDouble(used).sum()).isEqualTo(total, within(1e-3));
            assertThat(users.stream().mapToDouble(used).sum()).isEqualTo(total, within(1e-3));
        }
    }

    private static void checkResources(RunFigures figures) {
        double makespan = figures.overall().makespanSeconds();
        for (ResourceFigures resource : figures.resources()) {
            double used = figures.total().used().getOrDefault(resource.type(), 0.0);
            assertThat(resource.utilisation()).isBetween(0.0, 1 + 1e-9);
            assertThat(resource.utilisation() * resource.capacity() * makespan).isEqualTo(used, within(1e-3));
            for (int i = 0; i < resource.used().values().size(); i++) {
                assertThat(resource.used().values().get(i)
                                + resource.fragmented().values().get(i)
                                + resource.withheld().values().get(i))
                        .isBetween(0.0, 1 + 1e-9);
            }
        }
        assertThat(figures.overall().unfairness()).isBetween(0.0, 1.0);
        assertThat(figures.overall().queueJainIndex()).isBetween(0.0, 1 + 1e-9);
        assertThat(figures.overall().userJainIndex()).isBetween(0.0, 1 + 1e-9);
    }
}
