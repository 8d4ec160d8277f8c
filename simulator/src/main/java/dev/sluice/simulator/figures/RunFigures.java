package dev.sluice.simulator.figures;

import java.time.Instant;
import java.util.List;

/**
 * The results of one configuration, or of a bound, on a workload.
 *
 * @param kind whether it is a configuration or a bound
 * @param begin the start of the simulated time: the first submission
 * @param end the end of the simulated time
 * @param events the number of events that the engine decided
 * @param total the figures of all tasks
 * @param overall the figures that exist once per run
 * @param resources the use of the resources of the nodes, by type
 * @param queues every queue, root first, then by path
 * @param users every user that submitted an application, by name; beyond a maximum number of users, the later ones are
 *     combined
 * @param sizes tasks by size, smallest first
 * @param time the number of waiting and running tasks over time
 * @param nodes the utilisation of the nodes over time
 * @param reasons why tasks still waited at the end, and why applications were rejected, most frequent first; at most
 *     ten
 * @param variant its configuration and its nodes
 * @param spread every measure over the repetitions; empty without repetitions
 */
public record RunFigures(
        RunKind kind,
        Instant begin,
        Instant end,
        long events,
        TaskFigures total,
        OverallFigures overall,
        List<ResourceFigures> resources,
        List<QueueFigures> queues,
        List<UserFigures> users,
        List<SizeFigures> sizes,
        TimeFigures time,
        NodeTimeline nodes,
        List<Reason> reasons,
        RunVariant variant,
        List<MeasureSpread> spread) {

    /** The kind of a run. */
    public enum RunKind {
        /** A simulation of a configuration. */
        CONFIGURATION("configuration"),
        /** A bound: shortest task first, with all durations known and without regard to queues and users. */
        SHORTEST_FIRST("shortest-first"),
        /** A bound: nodes with unlimited capacity. */
        INFINITE_NODES("infinite-nodes"),
        /** A bound: tasks in random order. */
        RANDOM_ORDER("random-order");

        private final String wireName;

        RunKind(String wireName) {
            this.wireName = wireName;
        }

        /** The name in JSON. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * Why tasks did not start, or why applications were rejected.
     *
     * @param text the reason, for people
     * @param tasks the number of tasks or applications
     */
    public record Reason(String text, long tasks) {}

    public RunFigures {
        resources = List.copyOf(resources);
        queues = List.copyOf(queues);
        users = List.copyOf(users);
        sizes = List.copyOf(sizes);
        reasons = List.copyOf(reasons);
        spread = List.copyOf(spread);
    }

    /** The name of the configuration or bound, and of the nodes if there are several. */
    public String name() {
        return variant.name();
    }

    /** Whether this is a configuration with several leaf queues; fairness among queues is undefined with one. */
    public boolean isDivided() {
        return kind == RunKind.CONFIGURATION
                && queues.stream().filter(QueueFigures::leaf).count() > 1;
    }

    /** Returns the same run with the spread over its repetitions. */
    public RunFigures withSpread(List<MeasureSpread> over) {
        return new RunFigures(
                kind, begin, end, events, total, overall, resources, queues, users, sizes, time, nodes, reasons,
                variant, over);
    }
}
