package dev.sluice.server.metrics;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.loop.BusyException;
import dev.sluice.runtime.loop.SchedulerLoop;
import dev.sluice.server.view.Views;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Figures of the cluster: what waits, what runs, how the nodes are. They are counted only when somebody asks and something has happened
 * since, and at most once a second, so that they cost the scheduler nothing while nobody looks. While the scheduler does not answer,
 * the former figures stay.
 */
public final class ClusterFigures {

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final SchedulerLoop loop;
    private final LongSupplier last;
    private final ServerMetrics metrics;
    private long countedAt = -1; // the last event when they were counted
    private long countedNanos;

    /**
     * Figures of the state of this loop.
     *
     * @param last the number of the last event
     */
    public ClusterFigures(SchedulerLoop loop, LongSupplier last, ServerMetrics metrics) {
        this.loop = loop;
        this.last = last;
        this.metrics = metrics;
    }

    /** Counts anew what may have changed. */
    public synchronized void refresh() {
        long now = last.getAsLong();
        if (now == countedAt || (countedAt >= 0 && System.nanoTime() - countedNanos < PAUSE.toNanos())) {
            return;
        }
        try {
            List<Figure> figures = loop.submit(Cause.own("look"), desk -> count(desk.state()))
                    .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            metrics.figures(figures);
            countedAt = now;
            countedNanos = System.nanoTime();
        } catch (BusyException | TimeoutException | ExecutionException e) {
            return; // the former ones are better than none
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<Figure> count(SchedulerState state) {
        List<Figure> figures = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            count(partition, figures);
        }
        return figures;
    }

    private static void count(Partition partition, List<Figure> figures) {
        String name = partition.name();
        Map<NodeState, Integer> nodes = new EnumMap<>(NodeState.class);
        Map<TaskState, Integer> tasks = new EnumMap<>(TaskState.class);
        for (Node node : partition.nodes()) {
            nodes.merge(node.state(), 1, Integer::sum);
            for (Task task : node.tasks()) {
                tasks.merge(task.state(), 1, Integer::sum);
            }
        }
        for (NodeState each : NodeState.values()) {
            figures.add(new Figure(Family.NODES, name, each.word(), nodes.getOrDefault(each, 0)));
        }
        for (TaskState each : TaskState.values()) {
            if (each.stands()) {
                figures.add(new Figure(Family.TASKS, name, each.word(), tasks.getOrDefault(each, 0)));
            }
        }
        Map<ApplicationState, Integer> applications = new EnumMap<>(ApplicationState.class);
        for (Application application : partition.applications()) {
            applications.merge(application.state(), 1, Integer::sum);
        }
        for (ApplicationState each : ApplicationState.values()) {
            figures.add(new Figure(Family.APPLICATIONS, name, each.word(), applications.getOrDefault(each, 0)));
        }
        for (Queue queue : partition.queues().all()) {
            figures.add(new Figure(Family.QUEUE_PENDING, name, queue.path(), queue.pendingTasks()));
            figures.add(new Figure(Family.QUEUE_PLACED, name, queue.path(), queue.placedTasks()));
        }
        Views.amounts(partition, partition.total())
                .forEach((type, amount) -> figures.add(new Figure(Family.CAPACITY, name, type, amount)));
        Views.amounts(partition, partition.queues().root().allocated())
                .forEach((type, amount) -> figures.add(new Figure(Family.ALLOCATED, name, type, amount)));
    }

    /** What is counted. */
    enum Family {
        NODES("sluice.nodes", "Nodes by state.", "state"),
        TASKS("sluice.tasks", "Tasks that stand on nodes, by state.", "state"),
        APPLICATIONS("sluice.applications", "Applications that the scheduler remembers, by state.", "state"),
        QUEUE_PENDING("sluice.queue.tasks.pending", "Tasks in a queue or below it that could be placed now.", "queue"),
        QUEUE_PLACED("sluice.queue.tasks.placed", "Tasks in a queue or below it that hold a place.", "queue"),
        CAPACITY("sluice.capacity", "What the ready nodes have, in base units.", "resource"),
        ALLOCATED("sluice.allocated", "What tasks hold, in base units.", "resource");

        private final String metric;
        private final String help;
        private final String label;

        Family(String metric, String help, String label) {
            this.metric = metric;
            this.help = help;
            this.label = label;
        }

        String metric() {
            return metric;
        }

        String help() {
            return help;
        }

        String label() {
            return label;
        }
    }

    /** One figure of a partition. */
    record Figure(Family family, String partition, String of, long value) {}
}
