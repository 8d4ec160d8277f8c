package dev.sluice.simulator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.TaskFigures;
import dev.sluice.simulator.simulation.SimulationScenario.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The end of a simulation, and the figures of tasks that have not ended. */
class SimulationEndTest {

    @Test
    void workload_empty_endsImmediately() {
        Outcome outcome = SimulationScenario.oneQueue().cores(1).run();

        assertThat(outcome.end()).isZero();
        assertThat(outcome.figures().total().tasks()).isZero();
        assertThat(outcome.figures().queues()).hasSize(2);
    }

    @Test
    void until_tasksRunningAndWaiting_areCounted() {
        // 0…30 a; b waits from 5 on; c would be submitted at 40
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 30)
                .submit(5, "b", 1, 30)
                .submit(40, "c", 1, 30)
                .until(25)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(total.tasks()).isEqualTo(2);
        assertThat(total.running()).isOne();
        assertThat(total.neverStarted()).isOne();
        assertThat(total.succeeded()).isZero();
        assertThat(total.longestWaitSeconds()).isEqualTo(20);
        assertThat(total.used()).containsEntry("vcore", 25_000.0);
        assertThat(outcome.end()).isEqualTo(25);
        assertThat(outcome.figures().reasons())
                .singleElement()
                .extracting(RunFigures.Reason::tasks)
                .isEqualTo(1L);
    }

    @Test
    void until_atEndOfTask_taskHasEnded() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 30)
                .until(30)
                .run();

        assertThat(outcome.figures().total().succeeded()).isOne();
        assertThat(outcome.figures().total().running()).isZero();
    }

    @Test
    void until_afterAllEnded_endIsLastEnd() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 30)
                .until(1_000)
                .run();

        assertThat(outcome.end()).isEqualTo(30);
    }

    @Test
    void until_betweenSubmissions_endIsThere() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 30)
                .submit(500, "b", 1, 30)
                .until(100)
                .run();

        assertThat(outcome.end()).isEqualTo(100);
        assertThat(outcome.figures().overall().makespanSeconds()).isEqualTo(30);
        assertThat(outcome.figures().total().tasks()).isOne();
    }

    @Test
    void until_beforeBegin_nothingHappens() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 30)
                .until(-100)
                .run();

        assertThat(outcome.end()).isZero();
        assertThat(outcome.figures().total().tasks()).isZero();
    }

    @Test
    void task_neverFits_simulationEnds() {
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(2)
                .submit(0, "huge", 3, 10)
                .submit(1, "a", 1, 10)
                .run();

        TaskFigures total = outcome.figures().total();
        assertThat(total.neverStarted()).isOne();
        assertThat(total.succeeded()).isOne();
        assertThat(outcome.end()).isEqualTo(11);
        assertThat(total.longestWaitSeconds()).isEqualTo(11);
    }

    @Test
    void workload_gapOfAYear_isSkipped() {
        double year = (double) Duration.ofDays(365).toSeconds();
        Outcome outcome = SimulationScenario.oneQueue()
                .cores(1)
                .submit(0, "a", 1, 10)
                .submit(year, "b", 1, 10)
                .run();

        assertThat(outcome.end()).isEqualTo(year + 10);
        assertThat(outcome.resource("vcore").utilisation()).isEqualTo(20 / (year + 10));
        assertThat(outcome.resource("vcore").used().values()).hasSizeBetween(200, 400);
    }
}
