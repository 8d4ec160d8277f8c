package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A cluster whose cores are taken by tasks of 1 core that are expected to run for up to an hour, and gangs that wait
 * for some of them, with reservations. Runs last 50 to 110 percent of what is expected. A task that has ended is
 * replaced by another one; a gang that has started, too.
 */
final class ReservingGangsCluster {

    /** So long that nothing is reserved for single tasks: one run always ends within it. */
    private static final Duration DELAY = Duration.ofSeconds(1);

    private static final int MINUTES_MAX = 60;
    private static final int APPLICATIONS = 1000;

    private final BenchmarkCluster cluster =
            new BenchmarkCluster(0, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
    private final PriorityQueue<Running> running = new PriorityQueue<>(Comparator.comparing(Running::end));
    private final Random random = new Random(1);
    private final Map<String, Duration> durations = new HashMap<>();
    private final int gangs;
    private int addedGangs;
    private int startedGangs;
    private int addedTasks;

    private record Running(RunRef run, Instant end) {}

    ReservingGangsCluster(int nodes, int gangs) {
        cluster.setReservations(new ReservationProperties(DELAY, null));
        for (int i = 0; i < nodes; i++) {
            cluster.addNode("node-" + i, BenchmarkCluster.resources(GangsCluster.CORES), Map.of());
        }
        int tasks = nodes * GangsCluster.CORES;
        for (int i = 0; i < APPLICATIONS; i++) {
            submitTasks((int) ((long) (i + 1) * tasks / APPLICATIONS - (long) i * tasks / APPLICATIONS));
        }
        runCycle();
        this.gangs = gangs;
        for (int i = 0; i < gangs; i++) {
            submitGang();
        }
        cluster.setNow(cluster.now().plus(DELAY));
    }

    private void submitTasks(int count) {
        String name = "task-" + addedTasks;
        cluster.submit(ApplicationSpec.sealed(
                name,
                BenchmarkCluster.queue(addedTasks),
                TaskSpec.of("t", count, BenchmarkCluster.resources(1)).withExpectedDuration(duration(name))));
        addedTasks++;
    }

    private void submitGang() {
        String name = "gang-" + addedGangs;
        Duration duration = duration(name);
        int workers = GangsCluster.MEMBERS - 1;
        cluster.submit(ApplicationSpec.sealed(
                        name,
                        BenchmarkCluster.queue(addedGangs),
                        TaskSpec.of("worker", workers, BenchmarkCluster.resources(1))
                                .withExpectedDuration(duration),
                        TaskSpec.of("driver", 1, BenchmarkCluster.resources(2)).withExpectedDuration(duration))
                .withGang(Gang.of(Map.of("worker", workers, "driver", 1))));
        addedGangs++;
    }

    private Duration duration(String application) {
        Duration duration = Duration.ofMillis(1 + random.nextInt(MINUTES_MAX * 60_000));
        durations.put(application, duration);
        return duration;
    }

    /** Ends the run that ends next, after a task was submitted for the core that the last one left. */
    void endOne() {
        while (addedGangs < gangs + startedGangs) {
            submitGang();
        }
        submitTasks(1);
        runCycle();
        Running next = running.remove();
        cluster.setNow(next.end.isAfter(cluster.now()) ? next.end : cluster.now());
        cluster.handle(new Command.ReportTaskSucceeded(next.run));
    }

    /** Runs a cycle; returns 1. */
    long cycle() {
        runCycle();
        return 1;
    }

    private void runCycle() {
        for (Event event : cluster.cycle()) {
            if (event instanceof TaskEvent.Placed placed) {
                RunRef run = placed.run();
                Duration duration =
                        Objects.requireNonNull(durations.get(run.task().application()));
                long percent = 50L + random.nextInt(60);
                running.add(new Running(
                        run, cluster.now().plus(duration.multipliedBy(percent).dividedBy(100))));
            } else if (event instanceof ApplicationEvent.GangStarted) {
                startedGangs++;
            }
        }
    }
}
