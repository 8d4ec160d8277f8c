package dev.sluice.simulator.measure;

import static dev.sluice.simulator.simulation.SimulationScenario.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.simulator.figures.DistributionSummary;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.SizeFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.figures.UserFigures;
import dev.sluice.simulator.simulation.SimulationScenario;
import dev.sluice.simulator.simulation.SimulationScenario.Outcome;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Figures of tasks, compared with manual calculations. */
class TaskFiguresTest {

    private static final double EXACT = 1e-9;

    /**
     * One core.
     *
     * <pre>
     *      submitted  start  end   waited  bounded slowdown
     *   a          0      0  100        0  1
     *   b         10    100  120       90  (120 − 10) ÷ 20 = 5.5
     *   c         20    120  125      100  (125 − 20) ÷ 10 = 10.5; five seconds count as ten
     *
     *   waiting: 1 from 10 to 20, 2 to 100, 1 to 120: (10 + 160 + 20) ÷ 125 = 1.52
     * </pre>
     */
    private static Outcome queue() {
        return SimulationScenario.oneQueue()
                .cores(1)
                .submitAs("ada", 0, "a", 1, 100)
                .submitAs("bob", 10, "b", 1, 20)
                .submitAs("bob", 20, "c", 1, 5)
                .run();
    }

    @Test
    void waiting_ofQueue_matchesManualCalculation() {
        DistributionSummary waiting = queue().figures().total().waiting();

        assertThat(waiting.count()).isEqualTo(3);
        assertThat(waiting.mean()).isEqualTo(190 / 3.0, within(EXACT));
        assertThat(waiting.p50()).isEqualTo(90, within(0.09));
        assertThat(waiting.p90()).isEqualTo(100);
        assertThat(waiting.p99()).isEqualTo(100);
        assertThat(waiting.max()).isEqualTo(100);
    }

    @Test
    void slowdown_ofQueue_matchesManualCalculation() {
        DistributionSummary slowdown = queue().figures().total().slowdown();

        assertThat(slowdown.mean()).isEqualTo(17 / 3.0, within(EXACT));
        assertThat(slowdown.p50()).isEqualTo(5.5, within(0.0055));
        assertThat(slowdown.max()).isEqualTo(10.5);
        assertThat(slowdown.curve().get(0)).isEqualTo(1);
    }

    @Test
    void overallFigures_ofRun_matchManualCalculation() {
        Outcome outcome = queue();

        assertThat(outcome.figures().overall().makespanSeconds()).isEqualTo(125);
        assertThat(outcome.figures().overall().throughputPerHour()).isEqualTo(3 / 125.0 * 3600, within(EXACT));
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(1, within(EXACT));
        assertThat(outcome.resource("vcore").used().values()).hasSize(125).containsOnly(1.0);
        assertThat(outcome.figures().total().used()).isEqualTo(Map.of("vcore", 125_000.0, "slots", 125.0));
        assertThat(outcome.figures().total().starts()).isEqualTo(3);
        assertThat(outcome.figures().total().longestWaitSeconds()).isEqualTo(100);
    }

    @Test
    void waitingCounts_ofQueue_matchManualCalculation() {
        Outcome outcome = queue();

        assertThat(outcome.queue("root.default").waitingMean()).isEqualTo(1.52, within(EXACT));
        assertThat(outcome.queue("root.default").waitingMax()).isEqualTo(2);
        assertThat(outcome.figures().time().waiting().values().subList(0, 12))
                .containsExactly(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0);
        assertThat(outcome.figures().time().running().values()).containsOnly(1.0);
    }

    @Test
    void users_several_haveSeparateFigures() {
        Outcome outcome = queue();

        assertThat(outcome.figures().users()).extracting(UserFigures::name).containsExactly("ada", "bob");
        assertThat(outcome.user("bob").tasks().waiting().mean()).isEqualTo(95);
        assertThat(outcome.user("bob").tasks().applications()).isEqualTo(2);
        // slowdowns of 1 and (5.5 + 10.5) ÷ 2 = 8: 9² ÷ (2 × (1 + 64))
        assertThat(outcome.figures().overall().userJainIndex()).isEqualTo(81 / 130.0, within(EXACT));
    }

    @Test
    void slowdown_shortTaskAndWait_isOne() {
        // b: 4 seconds of waiting and 1 of running are less than the minimum of ten
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 5)
                .submit(1, "b", 1, 1)
                .run();

        assertThat(outcome.figures().total().slowdown().max()).isEqualTo(1);
    }

    @Test
    void utilisation_betweenSamples_isExact() {
        // 0.3 seconds of one of two cores, sampled every minute: 0.3 ÷ (2 × 0.3)
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .sampling(60)
                .submit(0, "a", 1, 0.3)
                .submit(0, "b", 0, 0.1)
                .run();

        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(0.5, within(EXACT));
        assertThat(outcome.figures().overall().makespanSeconds()).isEqualTo(0.3);
    }

    @Test
    void utilisation_ofStoppedRun_isAtMostOne() {
        // a ends at 10; b is still running: (10 + 50) ÷ (2 × 50)
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .submit(0, "a", 1, 10)
                .submit(0, "b", 1, 100)
                .until(50)
                .run();

        assertThat(outcome.figures().overall().makespanSeconds()).isEqualTo(50);
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(0.6, within(EXACT));
    }

    @Test
    void parents_haveSumOfDescendants() {
        String queues = """
                queues:
                  - name: root
                    queues:
                      - {name: a, queues: [{name: x}, {name: y}]}
                      - {name: a-b}
                      - {name: ab}
                """;
        Outcome outcome = SimulationScenario.queues(queues)
                .cores(2)
                .submit(0, "1", "root.a.x", 3, 1, 10)
                .submit(0, "2", "root.a.y", 5, 1, 20)
                .submit(0, "3", "root.a-b", 7, 1, 30)
                .submit(0, "4", "root.ab", 9, 1, 40)
                .submit(0, "5", "root.ab", 1, 3, 40)
                .submit(0, "6", "root.none", 1, 3, 40)
                .run();

        assertThat(outcome.figures().queues())
                .extracting(queue ->
                        queue.path() + " " + queue.leaf() + " " + queue.tasks().tasks())
                .containsExactly(
                        "root false 25",
                        "root.a false 8",
                        "root.a-b true 7",
                        "root.a.x true 3",
                        "root.a.y true 5",
                        "root.ab true 10");
        for (String parent : new String[] {"root", "root.a"}) {
            assertSum(outcome, parent);
        }
        assertThat(outcome.figures().total().rejected()).isOne();
        assertThat(outcome.queue("root").tasks().rejected()).isZero();
    }

    private static void assertSum(Outcome outcome, String parent) {
        TaskFigures sum = outcome.queue(parent).tasks();
        long tasks = 0;
        long starts = 0;
        long succeeded = 0;
        long never = 0;
        long applications = 0;
        double waited = 0;
        double longest = 0;
        double cores = 0;
        for (QueueFigures queue : outcome.figures().queues()) {
            if (queue.leaf() && queue.path().startsWith(parent + ".")) {
                TaskFigures each = queue.tasks();
                tasks += each.tasks();
                starts += each.starts();
                succeeded += each.succeeded();
                never += each.neverStarted();
                applications += each.applications();
                waited += each.waiting().mean() * each.waiting().count();
                longest = Math.max(longest, each.longestWaitSeconds());
                cores += each.used().getOrDefault("vcore", 0.0);
            }
        }
        assertThat(sum.tasks()).isEqualTo(tasks);
        assertThat(sum.starts()).isEqualTo(starts);
        assertThat(sum.succeeded()).isEqualTo(succeeded);
        assertThat(sum.neverStarted()).isEqualTo(never);
        assertThat(sum.applications()).isEqualTo(applications);
        assertThat(sum.waiting().mean() * sum.waiting().count()).isEqualTo(waited, within(1e-6));
        assertThat(sum.longestWaitSeconds()).isEqualTo(longest);
        assertThat(sum.used().getOrDefault("vcore", 0.0)).isEqualTo(cores, within(1e-6));
    }

    @Test
    void sizes_ofTasks_areSeparated() {
        // by cores: 0, then 1, 2 to 3, 4 to 7
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(16)
                .submit(0, "none", 0, 10)
                .submit(0, "one", 1, 10)
                .submit(0, "two", 2, 10)
                .submit(0, "three", 3, 10)
                .submit(0, "four", 4, 10)
                .submit(0, "never", 99, 10)
                .run();

        assertThat(outcome.figures().sizes())
                .extracting(size -> size.from() + "…" + size.to() + ": " + size.count())
                .containsExactly("0…0: 1", "1000…1999: 1", "2000…3999: 2", "4000…7999: 1");
        assertThat(outcome.figures().sizes()).extracting(SizeFigures::resource).containsOnly("vcore");
    }

    @Test
    void sizes_inSlots_areOne() {
        Outcome outcome = SimulationScenario.oneQueue()
                .node("n", Map.of("slots", 2L))
                .sizes("slots")
                .submit(0, "a", "root.default", 2, 0, 10)
                .run();

        assertThat(outcome.figures().sizes())
                .extracting(size -> size.from() + "…" + size.to() + ": " + size.count())
                .containsExactly("1…1: 2");
        assertThat(outcome.resource("slots").utilisation()).isEqualTo(1, within(EXACT));
    }

    @Test
    void users_beyondMaximum_areOthers() {
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1);
        for (int i = 0; i < Measurements.USERS_MAX + 3; i++) {
            scenario.submitAs("user" + i, 0, "a" + i, 1, 0);
        }
        scenario.submitAs("user7", 0, "again", 1, 0);
        Outcome outcome = scenario.run();

        assertThat(outcome.figures().users()).hasSize(Measurements.USERS_MAX + 1);
        assertThat(outcome.user(UserFigures.OTHERS).tasks().applications()).isEqualTo(3);
        assertThat(outcome.user("user7").tasks().succeeded()).isEqualTo(2);
    }

    @Test
    @Tag("slow")
    void queues_beyondMaximum_countTowardsParent() {
        String queues = """
                placementrules: [{name: user, create: true, parent: {name: fixed, value: root.users, create: true}}]
                queues: [{name: root, queues: [{name: users, parent: true}]}]
                """;
        SimulationScenario scenario = SimulationScenario.queues(queues).cores(1).sampling(10_000);
        int submitted = Measurements.QUEUES_MAX + 5;
        for (int i = 0; i < submitted; i++) {
            scenario.submit(
                    i, ApplicationSpec.sealed("a" + i, null, task("t", 1, 1)).withUser("user" + i), 0);
        }
        Outcome outcome = scenario.run();

        assertThat(outcome.figures().queues()).hasSize(Measurements.QUEUES_MAX);
        assertThat(outcome.queue("root.users").tasks().succeeded()).isEqualTo(submitted);
        assertThat(outcome.queue("root.users.user7").tasks().succeeded()).isOne();
        assertThat(outcome.figures().total().succeeded()).isEqualTo(submitted);
    }

    @Test
    void reasons_veryMany_areBounded() {
        SimulationScenario scenario = SimulationScenario.oneQueue().cores(1);
        for (int i = 0; i < 2_000; i++) {
            scenario.submit(0, "a" + i, "root.q" + i, 1, 1);
            scenario.submit(0, "b" + i, "root.q0", 1, 1);
        }
        Outcome outcome = scenario.run();

        assertThat(outcome.figures().total().rejected()).isEqualTo(4_000);
        assertThat(outcome.figures().reasons()).hasSize(10);
        assertThat(outcome.figures().reasons().get(0).tasks()).isEqualTo(2_001);
    }
}
