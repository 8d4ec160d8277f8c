package dev.sluice.simulator.simulation;

import static dev.sluice.simulator.simulation.SimulationScenario.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.simulator.figures.GangFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.StopFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.simulation.SimulationScenario.Outcome;
import dev.sluice.simulator.workload.GangWorkload;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order of events in a simulation. */
class SimulationTest {

    private static final String DEFAULT = "root.default";

    @Test
    void instant_endAndSubmission_endComesFirst() {
        // b arrives at the same instant at which a releases the only core
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 10)
                .submit(10, "b", 1, 10)
                .run();

        assertThat(outcome.figures().total().waiting().max()).isZero();
        assertThat(outcome.end()).isEqualTo(20);
    }

    @Test
    void instant_severalSubmissions_precedeCycle() {
        // low is submitted first, high at the same instant: the cycle sees both
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(
                        0,
                        ApplicationSpec.sealed("low", DEFAULT, task("t", 1, 1)).withUser("low"),
                        10)
                .submit(
                        0,
                        ApplicationSpec.sealed("high", DEFAULT, task("t", 1, 1).withPriority(1))
                                .withUser("high"),
                        10)
                .run();

        assertThat(outcome.user("high").tasks().waiting().max()).isZero();
        assertThat(outcome.user("low").tasks().waiting().max()).isEqualTo(10);
    }

    @Test
    void gangs_oneAfterTheOther_areCountedWithTheirWaits() {
        GangFigures gangs = SimulationScenario.oneQueue()
                .cores(2)
                .submit(0, "a", DEFAULT, 2, 1, 100)
                .submit(0, "b", DEFAULT, 2, 1, 100)
                .run(GangWorkload::of)
                .figures()
                .overall()
                .gangs();

        assertThat(gangs.started()).isEqualTo(2);
        assertThat(gangs.timedOut()).isZero();
        assertThat(gangs.waiting().count()).isEqualTo(2);
        assertThat(gangs.waiting().mean()).isEqualTo(50);
        assertThat(gangs.waiting().max()).isEqualTo(100);
    }

    @Test
    void applications_simultaneous_startInWorkloadOrder() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, ApplicationSpec.sealed("z", DEFAULT, task("t", 1, 1)).withUser("z"), 10)
                .submit(
                        0,
                        ApplicationSpec.sealed("x-10", DEFAULT, task("t", 1, 1)).withUser("x-10"),
                        10)
                .submit(
                        0,
                        ApplicationSpec.sealed("x-2", DEFAULT, task("t", 1, 1)).withUser("x-2"),
                        10)
                .run();

        assertThat(outcome.user("z").tasks().waiting().max()).isZero();
        assertThat(outcome.user("x-10").tasks().waiting().max()).isEqualTo(10);
        assertThat(outcome.user("x-2").tasks().waiting().max()).isEqualTo(20);
    }

    @Test
    void tasks_zeroDuration_runInSequenceAtOneInstant() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(5, "a", DEFAULT, 100, 1, 0)
                .submit(5, "b", 1, 0)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(total.succeeded()).isEqualTo(101);
        assertThat(total.starts()).isEqualTo(101);
        assertThat(total.waiting().max()).isZero();
        assertThat(total.slowdown().max()).isEqualTo(1);
        assertThat(outcome.end()).isEqualTo(5);
    }

    @Test
    void workload_zeroDurations_hasFiguresOfEveryQueue() {
        Outcome outcome =
                SimulationScenario.oneQueue().cores(1).submit(0, "a", 1, 0).run();

        assertThat(outcome.end()).isZero();
        assertThat(outcome.figures().overall().makespanSeconds()).isZero();
        assertThat(outcome.figures().overall().throughputPerHour()).isZero();
        assertThat(outcome.resource("vcore").utilisation()).isZero();
        assertThat(outcome.figures().queues())
                .extracting(queue -> queue.path() + " " + queue.tasks().succeeded())
                .containsExactly("root 1", "root.default 1");
    }

    @Test
    @Tag("slow")
    void instant_veryManyStarts_isProcessed() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(200_000)
                .submit(0, "a", DEFAULT, 200_000, 1, 60)
                .run();

        assertThat(outcome.figures().total().succeeded()).isEqualTo(200_000);
        assertThat(outcome.end()).isEqualTo(60);
    }

    @Test
    void tasks_behindOneThatNeverFits_reportTheirReason() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                DEFAULT,
                                task("first", 1, 1),
                                task("second", 5, 1).withAfter(Map.of("first", TaskCondition.SUCCEEDED))),
                        100,
                        1)
                .until(50)
                .run();

        assertThat(outcome.figures().total().neverStarted()).isEqualTo(5);
        assertThat(outcome.figures().total().running()).isOne();
        assertThat(outcome.figures().reasons())
                .singleElement()
                .extracting(RunFigures.Reason::tasks)
                .isEqualTo(5L);
    }

    @Test
    void application_noMatchingQueue_isRejectedWithReason() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(
                        0,
                        ApplicationSpec.sealed("a", "root.nowhere", task("t", 7, 1))
                                .withUser("ada"),
                        10)
                .submit(1, "b", 1, 10)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(total.applications()).isEqualTo(2);
        assertThat(total.rejected()).isOne();
        assertThat(total.tasks()).isOne();
        assertThat(outcome.user("ada").tasks().rejected()).isOne();
        assertThat(outcome.figures().reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.text()).contains("root.nowhere");
            assertThat(reason.tasks()).isOne();
        });
    }

    @Test
    void application_unknownPartition_isRejected() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "elsewhere", ApplicationSpec.sealed("a", DEFAULT, task("t", 1, 1)), 10)
                .run();

        assertThat(outcome.figures().total().rejected()).isOne();
        assertThat(outcome.figures().reasons())
                .containsExactly(new RunFigures.Reason("rejected at submission: partition not found", 1));
    }

    @Test
    void id_ofLiveApplication_isRejected() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 10)
                .submit(5, "a", 1, 10)
                .submit(10, "a", 1, 10)
                .run();

        assertThat(outcome.figures().total().rejected()).isOne();
        assertThat(outcome.figures().total().succeeded()).isEqualTo(2);
        assertThat(outcome.figures().reasons())
                .containsExactly(new RunFigures.Reason("rejected at submission: duplicate", 1));
    }

    @Test
    void nodes_notReady_runNothingUnlessTheyRecover() {
        // only the flaky node recovers, after a quarter of an hour
        SimulationScenario scenario = SimulationScenario.oneQueue();
        scenario.node(node("offline", NodeHealth.READY, true))
                .node(node("suspended", NodeHealth.SUSPENDED, false))
                .node(node("lost", NodeHealth.LOST, false))
                .node(node("flaky", NodeHealth.FLAKY, false));
        Outcome outcome = scenario.submit(0, "a", 1, 900).run();

        assertThat(outcome.end()).isEqualTo(1_800);
        assertThat(outcome.figures().total().waiting().max()).isEqualTo(900);
        assertThat(outcome.resource("vcore").capacity()).isEqualTo(1_000);
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(0.5);
    }

    @Test
    void rebalancing_forTasksThatFitNoNode_preemptsNothing() {
        // b's tasks require nodes that do not exist: a, which is entitled to no worker, keeps its workers
        String queues = """
                queues:
                  - name: root
                    properties:
                      queue.share.policy: load
                      load.rebalance.threshold: 10
                      load.rebalance.minimumduration: 1m
                    queues:
                      - {name: a, properties: {load.percent: 10}}
                      - {name: b, properties: {load.percent: 90}}
                """;
        Outcome outcome = SimulationScenario.queues(queues)
                .cores(2)
                .submit(0, "a", "root.a", 2, 1, 300)
                .submit(0, "b", "root.b", 2, 9, 300)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(total.succeeded()).isEqualTo(2);
        assertThat(total.starts()).isEqualTo(2);
        assertThat(total.neverStarted()).isEqualTo(2);
    }

    private static NodeEntry node(String name, NodeHealth health, boolean offline) {
        return new NodeEntry(
                name,
                TaskSpec.SINGLE,
                "default",
                SimulationScenario.amounts(Map.of("vcore", 1_000L)),
                new TreeMap<>(),
                List.of(),
                health,
                offline,
                null);
    }

    /** At 40 s the two tasks of a have waited for 30 s, and those of b have run for 40 s: 80 s are lost. */
    @Test
    void stops_byReason_countRunsAndLostWorkOfQueues() {
        Outcome outcome = SimulationScenario.queues("""
                queues:
                  - name: root
                    queues:
                      - {name: a, resources: {guaranteed: {vcore: 2}}}
                      - {name: b}
                """)
                .cores(2)
                .submit(0, "b1", "root.b", 1, 100)
                .submit(0, "b2", "root.b", 1, 100)
                .submit(10, "a1", "root.a", 1, 50)
                .submit(10, "a2", "root.a", 1, 50)
                .run();

        StopFigures two = new StopFigures(2, 80);
        assertThat(outcome.figures().total().stopped()).isEqualTo(Map.of("guarantee", two));
        assertThat(outcome.queue("root.b").tasks().stopped()).isEqualTo(Map.of("guarantee", two));
        assertThat(outcome.queue("root.a").tasks().stopped()).isEmpty();
        assertThat(outcome.figures().overall().lostSeconds()).isEqualTo(80);
    }

    @Test
    void partitions_several_areIndependent() {
        String yaml = """
                partitions:
                  - {name: left, queues: [{name: root, queues: [{name: default}]}]}
                  - {name: right, queues: [{name: root, queues: [{name: default}]}]}
                """;
        Outcome outcome = SimulationScenario.partitions(yaml)
                .node(in("left"))
                .node(in("right"))
                .submit(0, "left", ApplicationSpec.sealed("a", DEFAULT, task("t", 2, 1)), 10)
                .submit(0, "right", ApplicationSpec.sealed("a", DEFAULT, task("t", 1, 1)), 10)
                .run();

        assertThat(outcome.end()).isEqualTo(20);
        assertThat(outcome.queue("left:root.default").tasks().succeeded()).isEqualTo(2);
        assertThat(outcome.queue("right:root.default").tasks().succeeded()).isOne();
        assertThat(outcome.figures().total().succeeded()).isEqualTo(3);
        assertThat(outcome.resource("vcore").capacity()).isEqualTo(2_000);
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(30 / 40.0);
    }

    private static NodeEntry in(String partition) {
        return NodeEntry.ready(
                "n", TaskSpec.SINGLE, partition, SimulationScenario.amounts(Map.of("vcore", 1_000L)), new TreeMap<>());
    }

    @Test
    void node_duplicate_isRejectedWithReason() {
        assertThatThrownBy(() -> SimulationScenario.oneQueue()
                        .node("n", Map.of("vcore", 1_000L))
                        .node("n", Map.of("vcore", 1_000L))
                        .run())
                .isInstanceOf(SimulationException.class)
                .hasMessageContaining("n");
    }
}
