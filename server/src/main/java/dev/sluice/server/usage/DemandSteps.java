package dev.sluice.server.usage;

import dev.sluice.runtime.journal.DemandHistory;
import dev.sluice.runtime.journal.DemandHistory.Demand;
import dev.sluice.runtime.journal.DemandHistory.DemandQuery;
import dev.sluice.runtime.journal.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What waited in a queue and what it was due in the steps of a span: means of the stored intervals. */
public final class DemandSteps {

    /** The path of the queue that has all intervals. */
    public static final String ROOT = DemandRecorder.ROOT;

    private final DemandHistory history;

    /**
     * The means of a step.
     *
     * @param intervals the number of stored intervals that begin in the step; 0 if nothing is known about it
     */
    public record Step(
            Instant from,
            Instant to,
            int intervals,
            double pendingTasks,
            Map<String, Long> pending,
            Map<String, Long> due) {}

    public DemandSteps(DemandHistory history) {
        this.history = history;
    }

    /** Returns the steps; steps of an hour or longer are means of hours. */
    public List<Step> steps(String partition, String queue, Instant from, Duration step, int count)
            throws StoreException {
        Duration length = step.compareTo(DemandRecorder.LONG) < 0 ? DemandRecorder.SHORT : DemandRecorder.LONG;
        Instant to = from.plus(step.multipliedBy(count));
        List<Demand> known = history.find(new DemandQuery(partition, ROOT, length, from, to));
        List<Demand> found =
                queue.equals(ROOT) ? known : history.find(new DemandQuery(partition, queue, length, from, to));
        Sums[] sums = new Sums[count];
        for (int i = 0; i < count; i++) {
            sums[i] = new Sums();
        }
        known.forEach(demand -> sums[index(from, step, demand)].intervals++);
        found.forEach(demand -> sums[index(from, step, demand)].add(demand));
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Instant begin = from.plus(step.multipliedBy(i));
            steps.add(sums[i].step(begin, begin.plus(step)));
        }
        return steps;
    }

    private static int index(Instant from, Duration step, Demand demand) {
        return (int) Duration.between(from, demand.from()).dividedBy(step);
    }

    private static final class Sums {
        private int intervals;
        private double pendingTasks;
        private final Map<String, Long> pending = new TreeMap<>();
        private final Map<String, Long> due = new TreeMap<>();

        private void add(Demand demand) {
            pendingTasks += demand.pendingTasks();
            demand.pending().forEach((type, amount) -> pending.merge(type, amount, Long::sum));
            demand.due().forEach((type, amount) -> due.merge(type, amount, Long::sum));
        }

        private Step step(Instant from, Instant to) {
            double divisor = Math.max(1, intervals);
            pending.replaceAll((type, sum) -> Math.round(sum / divisor));
            due.replaceAll((type, sum) -> Math.round(sum / divisor));
            return new Step(from, to, intervals, pendingTasks / divisor, pending, due);
        }
    }
}
