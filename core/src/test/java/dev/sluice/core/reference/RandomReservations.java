package dev.sluice.core.reference;

import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Random delays and numbers of reservations, and many tasks with time limits and expected durations. */
final class RandomReservations {

    private final RandomSource chance;
    private final Map<String, ReservationProperties> byPath = new HashMap<>();

    RandomReservations(long seed) {
        this.chance = new RandomSource(seed);
    }

    /** Returns the partition with these settings; some queues keep those from the last call. */
    PartitionConfiguration addTo(PartitionConfiguration partition) {
        return partition.withRoot(addTo(partition.root(), "root"));
    }

    private QueueConfiguration addTo(QueueConfiguration queue, String path) {
        if (!byPath.containsKey(path) || chance.percent(25)) {
            Duration delay = chance.percent(60) ? Duration.ofMillis(chance.of(0, 0, 1, 1_000, 20_000)) : null;
            Integer max = path.equals("root") ? chance.of(10, 10, 3, 1, 0) : null;
            Integer delaysMax = path.equals("root") && chance.percent(60) ? chance.of(1, 2, 3) : null;
            byPath.put(path, new ReservationProperties(delay, max, delaysMax));
        }
        return queue.withProperties(queue.properties().withReservation(byPath.get(path)))
                .withChildren(queue.children().stream()
                        .map(child -> addTo(child, path + "." + child.name()))
                        .toList());
    }

    /** Returns the task, mostly with a time limit or an expected duration. */
    TaskSpec changed(TaskSpec task) {
        Attempts own = task.attempts();
        Duration timeout = chance.percent(50) ? Duration.ofSeconds(chance.of(1, 20, 60, 120, 600)) : own.timeout();
        TaskSpec limited = task.withAttempts(own.withTimeout(timeout));
        return chance.percent(50)
                ? limited.withExpectedDuration(Duration.ofSeconds(chance.of(1, 20, 60, 300)))
                : limited;
    }
}
