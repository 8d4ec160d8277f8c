package dev.sluice.simulator.figures;

import java.time.Instant;
import java.util.List;

/**
 * What one configuration made of the workload, or a bound.
 *
 * @param name of the configuration: its file's name without extension; or of the bound
 * @param kind whether it is a configuration or a bound
 * @param begin when the simulated time began: the first submission
 * @param end when it ended
 * @param events how many events the engine decided
 * @param total everything together
 * @param overall what there is only once for a run
 * @param resources how the resources of the nodes were used, by type
 * @param queues every queue, root first, then by path
 * @param users everybody who submitted something, by name; of very many those who came first, the others together
 * @param sizes tasks by their size, smallest first
 * @param time how many waited and ran over time
 * @param nodes how much of the nodes was used over time
 * @param reasons why what waited at the end did, and why applications were not taken, most frequent first; at most ten
 */
public record RunFigures(
        String name,
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
        List<Reason> reasons) {

    /** What a run shows. */
    public enum RunKind {
        /** What a configuration does. */
        CONFIGURATION("configuration"),
        /** Shortest task first: what can be had by somebody who knows the future and cares for nobody in particular. */
        SHORTEST_FIRST("shortest-first"),
        /** As if there were room for everything at once. */
        INFINITE_NODES("infinite-nodes"),
        /** In random order: what can be had without thinking. */
        RANDOM_ORDER("random-order");

        private final String wireName;

        RunKind(String wireName) {
            this.wireName = wireName;
        }

        /** The name used. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * Why tasks did not start, or applications were not taken.
     *
     * @param text for people
     * @param tasks how many tasks, or how many applications
     */
    public record Reason(String text, long tasks) {}

    /** Copies the lists. */
    public RunFigures {
        resources = List.copyOf(resources);
        queues = List.copyOf(queues);
        users = List.copyOf(users);
        sizes = List.copyOf(sizes);
        reasons = List.copyOf(reasons);
    }
}
