package dev.sluice.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.testing.ClusterUnderTest;
import dev.sluice.core.testing.QueueTreeText;
import dev.sluice.core.testing.SchedulerExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Candidates for which nothing can be preempted, in large numbers, do not keep others from preempting. */
@ExtendWith(SchedulerExtension.class)
class PreemptionStarvationTest {

    private static final Duration DELAY = Duration.ofSeconds(30);

    private static TaskSpec cores(int count, int cores) {
        return TaskSpec.of("t", count, Resources.parse("vcore", String.valueOf(cores)));
    }

    /** Runs one cycle; returns the number of tasks preempted. */
    private static long cycle(ClusterUnderTest cluster) {
        cluster.cycle();
        return cluster.events().stream()
                .filter(event -> event instanceof TaskEvent.Stopping)
                .count();
    }

    /** Runs cycles as long as one is due at once; returns the number of tasks preempted. */
    private static long settle(ClusterUnderTest cluster, int cyclesMax) {
        long preempted = 0;
        for (int cycles = 0; cycles < cyclesMax; cycles++) {
            preempted += cycle(cluster);
            Instant due = cluster.scheduler().scheduler().nextDue("default");
            if (due == null || due.isAfter(cluster.now())) {
                return preempted;
            }
        }
        throw new AssertionError("a cycle is still due after " + cyclesMax);
    }

    /** Each of four leaves has applications with a task that is too large for all nodes; a fifth has a smaller one. */
    private static void manyInVain(ClusterUnderTest cluster, int applications) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ b
                ├─ q1         guaranteed(vcore 3)
                ├─ q2         guaranteed(vcore 3)
                ├─ q3         guaranteed(vcore 3)
                ├─ q4         guaranteed(vcore 3)
                └─ z          guaranteed(vcore 1)
                """)).node("n1", "vcore", "2").node("n2", "vcore", "2");
        cluster.submit("b", "root.b", cores(4, 1)).cycle();
        cluster.startAll();
        for (int i = 0; i < applications; i++) {
            cluster.submit("q" + i, "root.q" + (1 + i % 4), cores(1, 3));
        }
        cluster.submit("z", "root.z", cores(1, 1));
    }

    /** An event before each cycle makes it search again, but not from the start. */
    @Test
    void leaf_behindManyInVain_preemptsAmidChanges(ClusterUnderTest cluster) {
        manyInVain(cluster, 1_200);
        cluster.cycle();
        cluster.advance(DELAY);
        long preempted = 0;
        for (int cycles = 0; cycles < 4; cycles++) {
            cluster.submit("more" + cycles, "root.q1", cores(1, 3));
            preempted += cycle(cluster);
        }
        assertThat(preempted).isEqualTo(1);
    }

    /** Before and after their delay, the candidates are visited in two parts. */
    @Test
    void leaf_behindManyInVain_preemptsAfterDelay(ClusterUnderTest cluster) {
        manyInVain(cluster, 1_200);
        assertThat(settle(cluster, 10)).isZero();
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isEqualTo(cluster.now().plus(DELAY));
        cluster.advance(DELAY);
        assertThat(cycle(cluster)).as("the first part").isZero();

        assertThat(settle(cluster, 10)).isEqualTo(1);
    }

    /** All candidates were visited before their delay has ended when the phase is interrupted. */
    @Test
    void delay_ofCandidatesBeforeInterruption_endsWithoutEvent(ClusterUnderTest cluster) {
        manyInVain(cluster, 999);
        assertThat(settle(cluster, 10)).isZero();
        assertThat(cluster.scheduler().scheduler().nextDue("default"))
                .isEqualTo(cluster.now().plus(DELAY));
    }

    /**
     * Half of each node runs tasks of a queue at its guarantee. A search for a whole node visits all tasks in vain: 700
     * searches, none of them for the same demand, need two cycles.
     */
    @Test
    void searches_visitingManyTasksInVain_continueInNextCycle() {
        Scheduler scheduler = new Scheduler();
        Consumer<Command> handle = command -> assertThat(
                        scheduler.handle(command, ClusterUnderTest.BEGIN).isAccepted())
                .isTrue();
        handle.accept(
                new Command.ApplyConfiguration(List.of(PartitionConfiguration.of("default", QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 16)
                ├─ b
                ├─ safe       guaranteed(vcore 800)
                └─ z          guaranteed(vcore 1)
                """)))));
        for (int i = 0; i < 100; i++) {
            Resources capacity = Resources.parse("vcore", "16", "memory", "64Gi");
            handle.accept(new Command.RegisterNode("default", "n" + i, capacity, new TreeMap<>()));
            for (String queue : List.of("b", "safe")) {
                TaskSpec tasks = cores(8, 1).withConstraints(Map.of(), "n" + i);
                handle.accept(new Command.SubmitApplication(
                        "default", ApplicationSpec.sealed(queue + i, "root." + queue, tasks)));
            }
        }
        for (Event event : scheduler.cycle("default", ClusterUnderTest.BEGIN)) {
            if (event instanceof TaskEvent.Placed placed) {
                handle.accept(new Command.ReportTaskStarted(placed.allocation().run()));
            }
        }
        for (int i = 0; i < 700; i++) {
            TaskSpec wholeNode = TaskSpec.of("t", 1, Resources.parse("vcore", "16", "memory", 1 + i + "Mi"));
            handle.accept(
                    new Command.SubmitApplication("default", ApplicationSpec.sealed("a" + i, "root.a", wholeNode)));
        }
        handle.accept(new Command.SubmitApplication("default", ApplicationSpec.sealed("z", "root.z", cores(1, 1))));
        Instant due = ClusterUnderTest.BEGIN.plus(DELAY);
        assertThat(scheduler.cycle("default", due)).isEmpty();
        assertThat(scheduler.nextDue("default")).isEqualTo(due);

        assertThat(scheduler.cycle("default", due)).hasAtLeastOneElementOfType(TaskEvent.Stopping.class);
    }

    @Test
    void application_behindManyThatFitNowhere_preempts(ClusterUnderTest cluster) {
        cluster.queues(QueueTreeText.of("""
                root
                ├─ a          guaranteed(vcore 1)
                └─ b
                """)).node("n", "vcore", "1");
        cluster.submit("b", "root.b", cores(1, 1)).cycle();
        cluster.startAll();
        TaskSpec nowhere = cores(1, 1).withConstraints(Map.of(), "none");
        for (int i = 0; i < 1_200; i++) {
            cluster.submit("nowhere" + i, "root.a", nowhere);
        }
        cluster.submit("x", "root.a", cores(1, 1)).cycle();
        cluster.advance(DELAY);

        assertThat(settle(cluster, 10)).isEqualTo(1);
    }
}
