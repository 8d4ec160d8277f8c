package dev.sluice.benchmarks.table;

import dev.sluice.benchmarks.BenchmarkCluster;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.NodeSortPolicy;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A cluster of equal nodes whose running tasks end at random, but in the same order in every run. Its applications stay
 * open, so none ends.
 */
final class BusyCluster {

    private final BenchmarkCluster cluster;
    private final Resources task;
    private final List<TaskEvent.Placed> running = new ArrayList<>();
    private final Random random = new Random(1);
    private int added;

    /**
     * Creates and fills a cluster.
     *
     * @param cores the cores of each task, and its GiB
     * @param running the number of running tasks, a multiple of 1,000
     * @param waiting the number of pending tasks, a multiple of 1,000; they must not fit
     */
    BusyCluster(int nodes, int cores, int running, int waiting) {
        cluster = new BenchmarkCluster(nodes, NodeSortPolicy.BIN_PACKING, ApplicationSortPolicy.FIFO);
        task = BenchmarkCluster.resources(cores);
        int each = (running + waiting) / BenchmarkCluster.APPLICATIONS;
        for (int i = 0; i < BenchmarkCluster.APPLICATIONS; i++) {
            cluster.submit(
                    ApplicationSpec.open(application(i), BenchmarkCluster.queue(i), TaskSpec.of("t", each, task)));
        }
        started(cycle(running));
    }

    private static String application(int number) {
        return "app-" + number;
    }

    void handle(Command command) {
        cluster.handle(command);
    }

    /** Runs a cycle and checks that it places this many tasks. */
    List<Event> cycle(int expected) {
        return cluster.cycle(expected);
    }

    /** Records the tasks that a cycle has placed. */
    void started(List<Event> events) {
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                running.add(placed);
            }
        }
    }

    /** Removes a random running task and returns the report that it has succeeded. */
    Command endRandomTask() {
        int last = running.size() - 1;
        TaskEvent.Placed task = running.set(random.nextInt(running.size()), running.get(last));
        running.remove(last);
        return new Command.ReportTaskSucceeded(task.run());
    }

    /** Ends this many tasks. */
    void end(int tasks) {
        for (int i = 0; i < tasks; i++) {
            handle(endRandomTask());
        }
    }

    /** Adds tasks, a multiple of 1,000, distributed evenly over all applications. */
    void add(int tasks) {
        TaskSpec more = TaskSpec.of("more" + added++, tasks / BenchmarkCluster.APPLICATIONS, task);
        for (int i = 0; i < BenchmarkCluster.APPLICATIONS; i++) {
            handle(new Command.AddTasks(BenchmarkCluster.PARTITION, application(i), List.of(more)));
        }
    }
}
