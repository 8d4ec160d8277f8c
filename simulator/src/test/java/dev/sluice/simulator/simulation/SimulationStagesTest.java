package dev.sluice.simulator.simulation;

import static dev.sluice.simulator.simulation.SimulationScenario.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.simulation.SimulationScenario.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Simulated tasks with dependencies, timeouts and failures. */
class SimulationStagesTest {

    private static final String DEFAULT = "root.default";

    @Test
    void stages_withDependencies_runInSequence() {
        // first 0…10; second, two at a time on two cores, 10…30
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                DEFAULT,
                                task("first", 1, 1),
                                task("second", 4, 1).withAfter(Map.of("first", TaskCondition.SUCCEEDED))),
                        10,
                        10)
                .run();

        assertThat(outcome.end()).isEqualTo(30);
        // 0, 10, 10, 20, 20
        assertThat(outcome.figures().total().waiting().mean()).isEqualTo(60 / 5.0);
    }

    @Test
    void stages_afterStart_startAtSameInstant() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                DEFAULT,
                                task("first", 1, 1),
                                task("second", 1, 1).withAfter(Map.of("first", TaskCondition.STARTED))),
                        10,
                        10)
                .run();

        assertThat(outcome.end()).isEqualTo(10);
    }

    @Test
    void task_exceedsTimeout_isRetriedThenFails() {
        // three runs of 20 seconds: 0…20, 20…40, 40…60; then it has failed
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a", DEFAULT, task("t", 1, 1).withAttempts(new Attempts(2, 0, Duration.ofSeconds(20)))),
                        30)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(outcome.end()).isEqualTo(60);
        assertThat(total.starts()).isEqualTo(3);
        assertThat(total.stops()).isEqualTo(3);
        assertThat(total.timedOut()).isEqualTo(3);
        assertThat(total.preempted()).isZero();
        assertThat(total.failed()).isOne();
        assertThat(total.succeeded()).isZero();
        assertThat(total.used()).containsEntry("vcore", 60_000.0);
        assertThat(outcome.figures().overall().lostSeconds()).isEqualTo(40);
        assertThat(outcome.figures().overall().makespanSeconds()).isEqualTo(60);
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(1);
    }

    @Test
    void task_exceedsTimeout_isRetriedAfterDelay() {
        // runs of 20 seconds and delays of 10 and 20: 0…20, 30…50, 70…90; then it has failed
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                DEFAULT,
                                task("t", 1, 1)
                                        .withAttempts(0, Duration.ofSeconds(20))
                                        .withRetries(new Retries(2, Duration.ofSeconds(10), 2, List.of()))),
                        30)
                .run();

        assertThat(outcome.end()).isEqualTo(90);
        assertThat(outcome.figures().total().starts()).isEqualTo(3);
        assertThat(outcome.figures().total().failed()).isOne();
    }

    @Test
    void task_runTimeEqualsTimeout_succeeds() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(
                        0,
                        ApplicationSpec.sealed("a", DEFAULT, task("t", 1, 1).withAttempts(0, Duration.ofSeconds(30))),
                        30)
                .run();

        assertThat(outcome.figures().total().succeeded()).isOne();
    }

    @Test
    void application_stopOnFailure_stopsItsOtherTasks() {
        // short is stopped at 20; long, which runs since 0, is stopped with it, and the three waiting tasks are dropped
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                        "a",
                                        DEFAULT,
                                        task("short", 1, 1).withAttempts(0, Duration.ofSeconds(20)),
                                        task("long", 1, 1),
                                        task("waits", 3, 1))
                                .withOnFailure(FailurePolicy.STOP),
                        100,
                        100,
                        1)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(outcome.end()).isEqualTo(20);
        assertThat(total.failed()).isEqualTo(5);
        assertThat(total.stops()).isEqualTo(2);
        assertThat(total.timedOut()).isOne();
        assertThat(total.preempted()).isZero();
        assertThat(total.neverStarted()).isZero();
    }

    @Test
    void tasks_afterFailedDependency_areDropped() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .submit(
                        0,
                        ApplicationSpec.sealed(
                                "a",
                                DEFAULT,
                                task("first", 1, 1).withAttempts(0, Duration.ofSeconds(20)),
                                task("second", 4, 1).withAfter(Map.of("first", TaskCondition.SUCCEEDED)),
                                task("third", 2, 1).withAfter(Map.of("second", TaskCondition.STARTED))),
                        100,
                        1,
                        1)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(total.failed()).isEqualTo(7);
        assertThat(total.tasks()).isEqualTo(7);
        assertThat(total.starts()).isOne();
        assertThat(outcome.end()).isEqualTo(20);
    }

    @Test
    void application_manyStages_completes() {
        TaskSpec[] tasks = new TaskSpec[20_000];
        double[] seconds = new double[tasks.length];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = task("t" + i, 1, 1);
            seconds[i] = 1;
        }
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(tasks.length)
                .submit(0, ApplicationSpec.sealed("a", DEFAULT, tasks), seconds)
                .run();

        assertThat(outcome.figures().total().succeeded()).isEqualTo(tasks.length);
    }
}
