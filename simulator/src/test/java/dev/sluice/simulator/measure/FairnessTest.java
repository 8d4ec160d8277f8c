package dev.sluice.simulator.measure;

import static dev.sluice.simulator.simulation.SimulationScenario.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.simulator.figures.NodeTimeline;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.simulation.SimulationScenario;
import dev.sluice.simulator.simulation.SimulationScenario.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Received and due shares and free capacity, compared with manual calculations. */
class FairnessTest {

    private static final double EXACT = 1e-9;

    private static final String CLASSES = """
            queues:
              - name: root
                properties:
                  queue.share.policy: load
                  load.rebalance.threshold: 10
                  load.rebalance.minimumduration: 1m
                queues:
                  - {name: a, properties: {load.percent: 50}}
                  - {name: b, properties: {load.percent: 50}}
            """;

    /**
     * Two cores and two queues, each with a due share of one half.
     *
     * <pre>
     *               a has  due   b has  due   |received − due| of each
     *     0 …  50     1     1      0     0      0
     *    50 … 100     1    ½       0    ½      ½      b arrives and waits for a
     *   100 … 200     0     0     ½     ½      0
     *
     *   over 200 s:  ½     ⅜     ¼     ⅜      ⅛
     * </pre>
     */
    @Test
    void shares_ofTwoQueues_matchManualCalculation() {
        Outcome outcome = SimulationScenario.queues("queues: [{name: root, queues: [{name: a}, {name: b}]}]")
                .cores(2)
                .submit(0, "1", "root.a", 2, 1, 100)
                .submit(50, "2", "root.b", 1, 1, 100)
                .run();
        OverallFigures overall = outcome.figures().overall();

        assertThat(outcome.queue("root.a").receivedMean()).isEqualTo(0.5, within(EXACT));
        assertThat(outcome.queue("root.a").dueMean()).isEqualTo(0.375, within(EXACT));
        assertThat(outcome.queue("root.a").area()).isEqualTo(0.125, within(EXACT));
        assertThat(outcome.queue("root.b").receivedMean()).isEqualTo(0.25, within(EXACT));
        assertThat(outcome.queue("root.b").dueMean()).isEqualTo(0.375, within(EXACT));
        assertThat(outcome.queue("root.b").area()).isEqualTo(0.125, within(EXACT));
        assertThat(outcome.queue("root.b").received().values().subList(98, 102)).containsExactly(0.0, 0.0, 0.5, 0.5);
        assertThat(outcome.queue("root").receivedMean()).isEqualTo(0.75, within(EXACT));
        // half of ⅛ + ⅛
        assertThat(overall.unfairness()).isEqualTo(0.125, within(EXACT));
        // x = 4/3 and 2/3: 2² ÷ (2 × 20/9)
        assertThat(overall.queueJainIndex()).isEqualTo(0.9, within(EXACT));
    }

    @Test
    void freeCapacity_fitsNoWaitingTask_isFragmented() {
        // for 100 of 200 seconds two nodes of four cores have three in use each, and a task of two cores waits: 2 of 8
        // free
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(4, 4)
                .submit(0, "a", "root.default", 2, 3, 100)
                .submit(0, "b", 2, 100)
                .run();

        assertThat(outcome.resource("vcore").fragmented().values().subList(98, 102))
                .containsExactly(0.25, 0.25, 0.0, 0.0);
        assertThat(outcome.figures().overall().fragmented()).isEqualTo(0.125, within(EXACT));
        assertThat(outcome.figures().overall().withheld()).isZero();
    }

    @Test
    void freeCapacity_wrongLabels_isFragmented() {
        TaskSpec picky = task("t", 1, 1).withConstraints(Map.of("disk", "ssd"), null);
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(4)
                .submit(0, ApplicationSpec.sealed("picky", "root.default", picky), 10)
                .submit(0, "a", 1, 10)
                .run();

        assertThat(outcome.figures().overall().fragmented()).isEqualTo(0.75, within(EXACT));
        assertThat(outcome.figures().overall().withheld()).isZero();
    }

    @Test
    void freeCapacity_blockedByQuota_isWithheld() {
        // in sequence: for 200 of 300 seconds a task waits that would fit in two of the four cores
        Outcome outcome = SimulationScenario.queues(
                        "queues: [{name: root, queues: [{name: a, resources: {max: {vcore: 2}}}]}]")
                .cores(4)
                .submit(0, "1", "root.a", 3, 2, 100)
                .run();

        assertThat(outcome.figures().overall().withheld()).isEqualTo(1 / 3.0, within(EXACT));
        assertThat(outcome.figures().overall().fragmented()).isZero();
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(0.5, within(EXACT));
    }

    @Test
    void freeCapacity_blockedByStateaware_isWithheld() {
        // until a's second task starts at 100, b may not start, though three of four cores are free
        Outcome outcome = SimulationScenario.queues(
                        "queues: [{name: root, queues: [{name: q, properties: {application.sort.policy: stateaware}}]}]")
                .cores(4)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                "root.q",
                                task("first", 1, 1),
                                task("second", 1, 1).withAfter(Map.of("first", TaskCondition.SUCCEEDED))),
                        100,
                        100)
                .submit(0, "b", "root.q", 1, 100)
                .run();

        assertThat(outcome.end()).isEqualTo(200);
        assertThat(outcome.figures().overall().withheld()).isEqualTo(0.375, within(EXACT));
        assertThat(outcome.figures().overall().fragmented()).isZero();
    }

    @Test
    void freeCapacity_tasksWaitForDependencies_isIdle() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(4)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                "root.default",
                                task("first", 1, 1),
                                task("second", 1, 1).withAfter(Map.of("first", TaskCondition.SUCCEEDED))),
                        100,
                        100)
                .run();

        assertThat(outcome.figures().overall().withheld()).isZero();
        assertThat(outcome.figures().overall().fragmented()).isZero();
    }

    @Test
    void freeCapacity_ofInfiniteNodes_isNotCounted() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1_000)
                .capacityScale(1_000)
                .submit(0, "never", 2_000, 10)
                .submit(0, "a", 3, 10)
                .run();

        assertThat(outcome.figures().overall().fragmented()).isZero();
        // three times the reported capacity
        assertThat(outcome.resource("vcore").capacity()).isEqualTo(1_000);
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(3, within(EXACT));
    }

    @Test
    void loans_ofIdleClass_areBorrowedAndLent() {
        // four workers, two per class; a holds all four for 100 seconds
        Outcome outcome = SimulationScenario.queues(CLASSES)
                .cores(4)
                .submit(0, "1", "root.a", 4, 1, 100)
                .run();

        assertThat(outcome.queue("root.a").borrowed()).isEqualTo(200, within(1e-6));
        assertThat(outcome.queue("root.a").lent()).isZero();
        assertThat(outcome.queue("root.b").lent()).isEqualTo(200, within(1e-6));
        assertThat(outcome.figures().overall().loans()).isEqualTo(200, within(1e-6));
    }

    @Test
    void loans_ofHalfTheIdleSlots_areLentInProportion() {
        // eight workers; a is entitled to four and holds six; b and c are entitled to two each and hold none: each
        // lends half of its two
        String queues = """
                queues:
                  - name: root
                    properties: {queue.share.policy: load}
                    queues:
                      - {name: a, properties: {load.percent: 50}}
                      - {name: b, properties: {load.percent: 25}}
                      - {name: c, properties: {load.percent: 25}}
                """;
        Outcome outcome = SimulationScenario.queues(queues)
                .cores(8)
                .submit(0, "1", "root.a", 6, 1, 100)
                .run();

        assertThat(outcome.queue("root.a").borrowed()).isEqualTo(200, within(1e-6));
        assertThat(outcome.queue("root.b").lent()).isEqualTo(100, within(1e-6));
        assertThat(outcome.queue("root.c").lent()).isEqualTo(100, within(1e-6));
    }

    /**
     * Four workers, two classes with 50 % each. a takes all four at 0; b arrives at 30. The tasks of a beyond its half
     * stop a minute later.
     *
     * <pre>
     *   a  four tasks of 300 s   two 0 … 300, two 0 … 90 and again 190 … 490
     *   b  two tasks of 100 s    90 … 190
     * </pre>
     */
    private static SimulationScenario rebalanced() {
        return SimulationScenario.queues(CLASSES)
                .cores(4)
                .submit(0, "1", "root.a", 4, 1, 300)
                .submit(30, "2", "root.b", 2, 1, 100);
    }

    @Test
    void rebalancing_stopsTasksThatRestart() {
        Outcome outcome = rebalanced().run();
        TaskFigures a = outcome.queue("root.a").tasks();
        TaskFigures b = outcome.queue("root.b").tasks();

        assertThat(outcome.end()).isEqualTo(490);
        assertThat(a.starts()).isEqualTo(6);
        assertThat(a.stops()).isEqualTo(2);
        assertThat(a.preempted()).isEqualTo(2);
        assertThat(a.timedOut()).isZero();
        assertThat(a.succeeded()).isEqualTo(4);
        assertThat(a.waiting().count()).isEqualTo(4);
        assertThat(a.waiting().max()).isZero();
        // (1 + 1 + 490/300 + 490/300) ÷ 4: the last run is the duration
        assertThat(a.slowdown().mean()).isEqualTo((2 + 2 * 490 / 300.0) / 4, within(EXACT));
        assertThat(a.used()).containsEntry("slots", 2 * 300.0 + 2 * 90 + 2 * 300);
        assertThat(b.waiting().mean()).isEqualTo(60);
        assertThat(b.slowdown().mean()).isEqualTo(1.6, within(EXACT));
        assertThat(outcome.figures().overall().lostSeconds()).isEqualTo(2 * 90);
    }

    @Test
    void rebalancing_atEnd_stoppedTasksWaitForRestart() {
        Outcome outcome = rebalanced().until(100).run();
        TaskFigures a = outcome.queue("root.a").tasks();

        assertThat(a.running()).isEqualTo(2);
        assertThat(a.neverStarted()).isZero();
        assertThat(a.waitingAgain()).isEqualTo(2);
        assertThat(outcome.figures().total().waitingAgain()).isEqualTo(2);
        assertThat(outcome.figures().total().running()).isEqualTo(4);
        assertThat(outcome.figures().reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason.tasks()).isEqualTo(2));
    }

    @Test
    void rebalancing_doesNotUseRetries() {
        // one retry: stopped at 90 for b, then timed out twice: 190 … 390 and 390 … 590
        TaskSpec tasks = task("t", 4, 1).withAttempts(1, Duration.ofSeconds(200));
        Outcome outcome = SimulationScenario.queues(CLASSES)
                .cores(4)
                .submit(0, ApplicationSpec.sealed("1", "root.a", tasks), 1_000)
                .submit(30, "2", "root.b", 2, 1, 100)
                .run();
        TaskFigures a = outcome.queue("root.a").tasks();

        // two without rebalancing 0 … 200 … 400, two with it
        assertThat(outcome.end()).isEqualTo(590);
        assertThat(a.failed()).isEqualTo(4);
        assertThat(a.starts()).isEqualTo(4 + 2 + 4);
        assertThat(a.stops()).isEqualTo(a.starts());
    }

    @Test
    void nodes_many_shareRows() {
        int[] cores = new int[130];
        Arrays.fill(cores, 2);
        // three nodes per row; one core of the six of the first
        Outcome outcome =
                SimulationScenario.oneQueue().cores(cores).submit(0, "a", 1, 10).run();
        NodeTimeline nodes = outcome.figures().nodes();

        assertThat(nodes.rows()).hasSize(44);
        assertThat(nodes.rows().get(0).first()).isEqualTo("n0");
        assertThat(nodes.rows().get(0).last()).isEqualTo("n2");
        assertThat(nodes.rows().get(0).used().values())
                .hasSize(10)
                .allSatisfy(used -> assertThat(used).isEqualTo(1 / 6.0, within(EXACT)));
        assertThat(nodes.rows().get(43).nodes()).isOne();
        assertThat(nodes.rows().stream().mapToInt(NodeTimeline.Row::nodes).sum())
                .isEqualTo(130);
    }
}
