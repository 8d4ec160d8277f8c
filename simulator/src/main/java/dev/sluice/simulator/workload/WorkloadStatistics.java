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
 * What one pass over a workload tells of it as a whole.
 *
 * @param applications how many
 * @param tasks how many they have together
 * @param users how many people submitted them; of more than {@link #USERS_MAX}, that number
 * @param first when the earliest was submitted; null if there is none
 * @param last when the latest was submitted; null if there is none
 * @param work what it takes in all, by resource type: amount × duration, in base units × seconds; slots too, one for each task
 * @param largestTask by resource type, the most that one task takes
 * @param inOrder whether each application was submitted no earlier than the one before
 * @param malformed what could not be read of it
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

    /** How many users are told apart. */
    public static final int USERS_MAX = 1_000_000;

    private static final double NANOS = 1e9;

    /** Copies the map. */
    public WorkloadStatistics {
        work = Collections.unmodifiableSortedMap(new TreeMap<>(work));
    }

    /** Passes over the whole workload. Memory is that of the users' names. */
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
