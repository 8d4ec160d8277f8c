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
 * A cluster of equal nodes in which tasks run that end at random, though the same in every run. Its applications stay open, so that
 * none ever ends.
 */
final class BusyCluster {

    private final BenchmarkCluster cluster;
    private final Resources task;
    private final List<TaskEvent.Placed> running = new ArrayList<>();
    private final Random random = new Random(1);
    private int added;

    /**
     * Fills a cluster.
     *
     * @param cores the cores of each task, and its GiB
     * @param running how many tasks are to run, so many thousands
     * @param waiting how many wait besides, so many thousands; they must not fit
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

    /** Carries out a command. */
    void handle(Command command) {
        cluster.handle(command);
    }

    /** Makes a cycle, which must place so many tasks. */
    List<Event> cycle(int expected) {
        return cluster.cycle(expected);
    }

    /** Takes note of the tasks that a cycle has started. */
    void started(List<Event> events) {
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                running.add(placed);
            }
        }
    }

    /** The report that some task has ended, which is no longer taken to be running. */
    Command endOfOne() {
        int last = running.size() - 1;
        TaskEvent.Placed task = running.set(random.nextInt(running.size()), running.get(last));
        running.remove(last);
        return new Command.ReportTaskSucceeded(
                BenchmarkCluster.PARTITION, task.application(), task.task() + "-" + task.index(), 1);
    }

    /** Ends so many tasks. */
    void end(int tasks) {
        for (int i = 0; i < tasks; i++) {
            handle(endOfOne());
        }
    }

    /** Adds so many thousands of tasks, evenly to all applications. */
    void add(int tasks) {
        TaskSpec more = TaskSpec.of("more" + added++, tasks / BenchmarkCluster.APPLICATIONS, task);
        for (int i = 0; i < BenchmarkCluster.APPLICATIONS; i++) {
            handle(new Command.AddTasks(BenchmarkCluster.PARTITION, application(i), List.of(more)));
        }
    }
}
