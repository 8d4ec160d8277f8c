package dev.sluice.simulator.workload;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a workload, computed in one pass.
 *
 * @param applications the number of applications
 * @param tasks the number of their tasks
 * @param users the number of users that submitted them, at most {@link #USERS_MAX}
 * @param first the time of the first submission; null if there is none
 * @param last the time of the last submission; null if there is none
 * @param work the total demand by resource type: amount × duration, in base units × seconds; includes slots, one per
 *     task
 * @param largestTask the maximum request of one task by resource type
 * @param inOrder whether the arrivals are sorted by submission time
 * @param malformed the lines that could not be read
 */
public record WorkloadStatistics(
        long applications,
        long tasks,
        long users,
        @Nullable Instant first,
        @Nullable Instant last,
        SortedMap<String, Double> work,
        Resources largestTask,
        boolean inOrder,
        MalformedLines malformed) {

    /** The maximum number of users that are counted. */
    public static final int USERS_MAX = 1_000_000;

    private static final double NANOS = 1e9;

    public WorkloadStatistics {
        work = Collections.unmodifiableSortedMap(new TreeMap<>(work));
    }

    /** Computes the statistics in one pass over the workload. Memory is proportional to the number of users. */
    public static WorkloadStatistics of(Workload workload) throws IOException {
        try (ArrivalStream arrivals = workload.open()) {
            Tally tally = new Tally();
            for (Arrival arrival = arrivals.next(); arrival != null; arrival = arrivals.next()) {
                tally.add(arrival);
            }
            return tally.statistics(arrivals.malformed());
        }
    }

    private static final class Tally {

        private final Set<String> users = new HashSet<>();
        private final SortedMap<String, ByType> types = new TreeMap<>();
        private final ByType slots = new ByType();
        private long applications;
        private long tasks;
        private @Nullable Instant first;
        private @Nullable Instant last;
        private boolean inOrder = true;

        private static final class ByType {
            private double work;
            private long largest;
        }

        void add(Arrival arrival) {
            applications++;
            if (users.size() < USERS_MAX) {
                users.add(arrival.application().user());
            }
            Instant submitted = arrival.submitted();
            if (first == null || submitted.isBefore(first)) {
                first = submitted;
            }
            if (last == null || !submitted.isBefore(last)) {
                last = submitted;
            } else {
                inOrder = false;
            }
            List<TaskSpec> specs = arrival.application().tasks();
            for (int i = 0; i < specs.size(); i++) {
                add(specs.get(i), arrival.durations().get(i));
            }
        }

        private void add(TaskSpec spec, Duration duration) {
            tasks += spec.size();
            double seconds = spec.size() * (duration.toSeconds() + duration.toNanosPart() / NANOS);
            slots.work += seconds;
            for (Map.Entry<String, Amount> each : spec.resources().amounts().entrySet()) {
                ByType type = types.get(each.getKey());
                if (type == null) {
                    type = new ByType();
                    types.put(each.getKey(), type);
                }
                long amount = each.getValue().value();
                type.work += amount * seconds;
                type.largest = Math.max(type.largest, amount);
            }
        }

        WorkloadStatistics statistics(MalformedLines malformed) {
            SortedMap<String, Double> work = new TreeMap<>();
            SortedMap<String, Amount> largest = new TreeMap<>();
            work.put(ResourceTypes.SLOTS, slots.work);
            types.forEach((type, each) -> {
                work.put(type, each.work);
                largest.put(type, new Amount(each.largest));
            });
            return new WorkloadStatistics(
                    applications, tasks, users.size(), first, last, work, Resources.of(largest), inOrder, malformed);
        }
    }
}
