package dev.sluice.server.usage;

import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.server.store.Columns;
import dev.sluice.server.usage.UsageTally.Dimension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What each queue used in the steps of an interval. The sums of steps that have passed are kept, and all steps that are
 * missing are summed while the history is read once. Thread-safe.
 */
public final class UsageSteps {

    /** Maximum number of kept steps and of their queues, taken together. */
    private static final int KEPT_MAX = 100_000;

    private final JournalStore store;
    private final Map<Key, Step> passed = new LinkedHashMap<>();
    private int kept;

    private record Key(String partition, Instant from, Instant to) {}

    /**
     * What was used in a step.
     *
     * @param queues by the paths of leaf queues
     */
    public record Step(Instant from, Instant to, Map<String, ResourceHours> queues) {

        /** Returns what a queue and its descendants used; what all queues used if it is null. */
        public ResourceHours sum(@Nullable String queue) {
            double runs = 0;
            Map<String, Double> resources = new TreeMap<>();
            for (Map.Entry<String, ResourceHours> each : queues.entrySet()) {
                if (queue == null
                        || each.getKey().equals(queue)
                        || each.getKey().startsWith(queue + ".")) {
                    runs += each.getValue().runs();
                    each.getValue().resources().forEach((type, hours) -> resources.merge(type, hours, Double::sum));
                }
            }
            return new ResourceHours(runs, resources);
        }
    }

    public UsageSteps(JournalStore store) {
        this.store = store;
    }

    /**
     * Returns the steps that begin before now, the last one up to now.
     *
     * @param running the runs that are not in the history yet
     */
    public List<Step> steps(String partition, Instant from, Duration length, int count, RunningRuns running)
            throws StoreException {
        List<Step> known = new ArrayList<>();
        int missing = -1;
        for (int i = 0; i < count && from.plus(length.multipliedBy(i)).isBefore(running.at()); i++) {
            Instant begin = from.plus(length.multipliedBy(i));
            Step step = known(new Key(partition, begin, begin.plus(length)));
            known.add(step == null ? new Step(begin, earlier(begin.plus(length), running.at()), Map.of()) : step);
            missing = step == null && missing < 0 ? i : missing;
        }
        if (missing >= 0) {
            List<Step> read = read(partition, known.subList(missing, known.size()), length, running);
            known.subList(missing, known.size()).clear();
            known.addAll(read);
        }
        return known;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private List<Step> read(String partition, List<Step> steps, Duration length, RunningRuns running)
            throws StoreException {
        List<UsageTally> tallies = steps.stream()
                .map(step -> new UsageTally(List.of(Dimension.QUEUE), step.from(), step.to(), Integer.MAX_VALUE))
                .toList();
        long begin = Columns.nanos(steps.get(0).from());
        Instant to = steps.get(steps.size() - 1).to();
        store.usage(
                new UsageQuery(partition, steps.get(0).from(), to, running.last(), false),
                (account, node, placed, released, waited, end, cpuNanos) ->
                        add(tallies, begin, length.toNanos(), account, placed, released));
        long now = Columns.nanos(running.at());
        running.runs()
                .forEach(run -> add(tallies, begin, length.toNanos(), run.account(), Columns.nanos(run.placed()), now));
        List<Step> read = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Map<String, ResourceHours> queues = new LinkedHashMap<>();
            tallies.get(i).groups().forEach(group -> queues.put(group.key().get(0), ResourceHours.of(group)));
            Step step = new Step(steps.get(i).from(), steps.get(i).to(), queues);
            read.add(step);
            if (step.to().equals(step.from().plus(length))) {
                keep(new Key(partition, step.from(), step.to()), step);
            }
        }
        return read;
    }

    /** Adds a run to the steps in which it was allocated. */
    private static void add(
            List<UsageTally> tallies, long begin, long length, RunAccount account, long placed, long released) {
        int first = (int) Math.max(0, Math.floorDiv(placed - begin, length));
        int last = (int) Math.min(tallies.size() - 1, Math.floorDiv(released - begin, length));
        for (int i = first; i <= last; i++) {
            tallies.get(i).addTime(account, placed, released);
        }
    }

    private synchronized @Nullable Step known(Key key) {
        return passed.get(key);
    }

    private synchronized void keep(Key key, Step step) {
        Step before = passed.put(key, step);
        kept += size(step) - (before == null ? 0 : size(before));
        for (Iterator<Step> first = passed.values().iterator(); kept > KEPT_MAX && passed.size() > 1; ) {
            kept -= size(first.next());
            first.remove();
        }
    }

    private static int size(Step step) {
        return 1 + step.queues().size();
    }
}
