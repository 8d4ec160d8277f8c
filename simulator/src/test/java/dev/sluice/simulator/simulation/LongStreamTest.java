package dev.sluice.simulator.simulation;

import static dev.sluice.simulator.simulation.SimulationScenario.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.workload.Arrival;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class LongStreamTest {

    private static final int APPLICATIONS = 50_000;
    private static final int NAMES = 40;

    /** Two arrivals per instant, each of which runs for some instants; every tenth has a second stage. */
    private static final class Stream implements Iterator<Arrival> {

        private int next;

        @Override
        public boolean hasNext() {
            return next < APPLICATIONS;
        }

        @Override
        public Arrival next() {
            int number = next++;
            ApplicationSpec application = ApplicationSpec.sealed("a" + number, null, task("t", 1, 1 + number % 7))
                    .withName("work" + number % NAMES)
                    .withUser("user" + number % NAMES);
            List<Duration> durations = List.of(Duration.ofMillis(number % 5));
            if (number % 10 == 0) {
                application = application.withTasks(
                        List.of(task("t", 1, 1), task("then", 2, 1).withAfter(Map.of("t", TaskCondition.SUCCEEDED))));
                durations = List.of(Duration.ofMillis(1), Duration.ofMillis(2));
            }
            return new Arrival(SimulationScenario.BEGIN.plusMillis(number / 2), "default", application, durations);
        }
    }

    @Test
    void stream_long_doesNotLeakState() throws IOException {
        SimulationScenario scenario =
                SimulationScenario.queues("""
                        placementrules: [{name: user, create: true}]
                        queues: [{name: root}]
                        """).cores(16, 16, 16, 16).sampling(10);
        long[] most = new long[3];
        Simulation[] running = new Simulation[1];
        Simulation simulation = new Simulation(
                scenario.setup(new ListedWorkload(Stream::new)),
                (now, events, ended) -> {
                    Partition partition =
                            running[0].state().partitions().iterator().next();
                    most[0] = Math.max(most[0], partition.applications().size());
                    most[1] = Math.max(most[1], running[0].measurements().waitingClasses());
                    most[2] = Math.max(most[2], partition.queues().all().size());
                },
                100);
        running[0] = simulation;
        RunFigures figures = simulation.run();
        Partition partition = simulation.state().partitions().iterator().next();

        assertThat(figures.total().applications()).isEqualTo(APPLICATIONS);
        assertThat(figures.total().succeeded()).isEqualTo(APPLICATIONS + APPLICATIONS / 10 * 2);
        assertThat(most[0]).isPositive().isLessThan(100);
        assertThat(most[1]).isPositive().isLessThan(50);
        assertThat(most[2]).isLessThanOrEqualTo(NAMES + 1);

        assertThat(simulation.tasks().hasActiveApplications()).isFalse();
        assertThat(simulation.measurements().waitingClasses()).isZero();
        assertThat(partition.applications()).isEmpty();
        assertThat(partition.timers()).isEmpty();
        assertThat(partition.queues().all()).hasSize(1);
        // one entry per name, and one per second stage of every tenth
        assertThat(partition.durations().size()).isBetween(NAMES, 2 * NAMES);
        assertThat(partition.types().resources(partition.queues().root()::allocated))
                .isEqualTo(Resources.NONE);
    }
}
