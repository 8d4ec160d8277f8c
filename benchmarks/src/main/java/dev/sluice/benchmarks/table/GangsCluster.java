package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** A cluster whose cores are all taken, and gangs that wait for some of them, for which no nodes are reserved. */
final class GangsCluster {

    static final int CORES = 8;
    static final int MEMBERS = 64;

    private final BenchmarkCluster cluster =
            new BenchmarkCluster(0, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
    private final Deque<TaskEvent.Placed> running = new ArrayDeque<>();
    private boolean free;
    private int added;

    GangsCluster(int nodes, int gangs) {
        cluster.setReservations(new ReservationProperties(null, 0));
        for (int i = 0; i < nodes; i++) {
            cluster.addNode("node-" + i, BenchmarkCluster.resources(CORES), Map.of());
        }
        int tasks = nodes * CORES;
        cluster.submit(ApplicationSpec.open(
                "full", BenchmarkCluster.queue(0), TaskSpec.of("t", tasks, BenchmarkCluster.resources(1))));
        started(cluster.cycle(tasks));
        Gang gang = Gang.of(Map.of("worker", MEMBERS - 1, "driver", 1));
        for (int i = 0; i < gangs; i++) {
            cluster.submit(ApplicationSpec.sealed(
                            "gang-" + i,
                            BenchmarkCluster.queue(i),
                            TaskSpec.of("worker", MEMBERS - 1, BenchmarkCluster.resources(1)),
                            TaskSpec.of("driver", 1, BenchmarkCluster.resources(2)))
                    .withGang(gang));
        }
        endOne();
        cycle(); // a free core, so that the gangs are tried and not only seen not to fit
        fill();
    }

    private void started(List<Event> events) {
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                running.add(placed);
            }
        }
    }

    /** Ends the task that has run longest, after another one has taken the core that the last one left. */
    void endOne() {
        if (free) {
            fill();
        }
        free = true;
        cluster.handle(new Command.ReportTaskSucceeded(running.remove().run()));
    }

    private void fill() {
        free = false;
        cluster.submit(ApplicationSpec.sealed(
                "next-" + added++, BenchmarkCluster.queue(added), TaskSpec.single("t", BenchmarkCluster.resources(1))));
        started(cluster.cycle(1));
    }

    /** Runs a cycle, which starts nothing; returns 1. */
    long cycle() {
        cluster.cycle(0);
        return 1;
    }
}
