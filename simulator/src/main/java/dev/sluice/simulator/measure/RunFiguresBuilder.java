package dev.sluice.simulator.measure;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.simulator.figures.GangFigures;
import dev.sluice.simulator.figures.OverallFigures;
import dev.sluice.simulator.figures.QueueFigures;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.SizeFigures;
import dev.sluice.simulator.figures.UserFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Builds the figures of a simulation from its tallies. */
final class RunFiguresBuilder {

    private static final int REASONS_SHOWN = 10;

    private final RunSummary run;
    private final ResourceTypes types;
    private final ClusterTally cluster;
    private final List<QueueTally> queues;
    private final SortedMap<String, TaskTally> users;
    private final SortedMap<Integer, SizeTally> sizes;
    private final String sizeResource;

    RunFiguresBuilder(
            RunSummary run,
            ResourceTypes types,
            ClusterTally cluster,
            List<QueueTally> queues,
            SortedMap<String, TaskTally> users,
            SortedMap<Integer, SizeTally> sizes,
            String sizeResource) {
        this.run = run;
        this.types = types;
        this.cluster = cluster;
        this.queues = queues;
        this.users = users;
        this.sizes = sizes;
        this.sizeResource = sizeResource;
    }

    RunFigures make(TaskTally rejected, Map<String, Long> reasons, double lostSeconds, GangFigures gangs) {
        TaskTally total = new TaskTally();
        total.addAll(rejected);
        queues.forEach(queue -> total.addAll(queue.tasks));
        double makespan = seconds(Duration.between(run.begin(), run.lastEnd()));
        return new RunFigures(
                run.kind(),
                run.begin(),
                run.end(),
                run.events(),
                total.figures(types),
                overall(total, makespan, lostSeconds, gangs),
                cluster.resources(makespan),
                queueFigures(),
                users.entrySet().stream()
                        .map(user ->
                                new UserFigures(user.getKey(), user.getValue().figures(types)))
                        .toList(),
                sizeFigures(),
                cluster.time(),
                cluster.nodes(),
                reasons.entrySet().stream()
                        .map(reason -> new RunFigures.Reason(reason.getKey(), reason.getValue()))
                        .sorted(Comparator.comparingLong(RunFigures.Reason::tasks)
                                .reversed()
                                .thenComparing(RunFigures.Reason::text))
                        .limit(REASONS_SHOWN)
                        .toList(),
                run.variant(),
                List.of());
    }

    private OverallFigures overall(TaskTally total, double makespan, double lostSeconds, GangFigures gangs) {
        Jain ofQueues = new Jain();
        double unfairness = 0;
        for (QueueTally queue : queues) {
            if (queue.isLeaf()) {
                unfairness += queue.areaMean() / 2;
                if (queue.dueMean() > 0) {
                    ofQueues.add(queue.receivedMean() / queue.dueMean());
                }
            }
        }
        Jain ofUsers = new Jain();
        for (TaskTally user : users.values()) {
            if (user.slowdown.count() > 0) {
                ofUsers.add(user.slowdown.mean());
            }
        }
        double sampled = seconds(Duration.between(run.begin(), run.end()));
        return new OverallFigures(
                makespan,
                makespan == 0 ? 0 : total.succeeded / makespan * 3600,
                cluster.fragmented(sizeResource),
                cluster.withheld(sizeResource),
                ofQueues.index(),
                ofUsers.index(),
                unfairness,
                cluster.loans() * sampled,
                lostSeconds,
                gangs);
    }

    /**
     * Sums up each parent: its own tally (of queues beyond the maximum, or of the time when it was a leaf) and those of
     * its descendants.
     */
    private List<QueueFigures> queueFigures() {
        double sampled = seconds(Duration.between(run.begin(), run.end()));
        Map<QueueTally, TaskTally> totals = new HashMap<>();
        queues.forEach(queue -> totals.put(queue, new TaskTally()));
        List<QueueFigures> figures = new ArrayList<>();
        for (int i = queues.size() - 1; i >= 0; i--) { // descendants come after their ancestors
            QueueTally queue = queues.get(i);
            TaskTally all = totals.getOrDefault(queue, queue.tasks);
            all.addAll(queue.tasks);
            TaskTally above = totals.get(queue.parent());
            if (above != null) {
                above.addAll(all);
            }
            figures.add(queue.figures(all, types, sampled));
            totals.remove(queue);
        }
        Collections.reverse(figures);
        return figures;
    }

    private List<SizeFigures> sizeFigures() {
        List<SizeFigures> figures = new ArrayList<>();
        sizes.forEach((sizeClass, size) -> {
            if (!size.isEmpty()) {
                figures.add(size.figures(
                        sizeResource, SizeClass.from(sizeResource, sizeClass), SizeClass.to(sizeResource, sizeClass)));
            }
        });
        return figures;
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
