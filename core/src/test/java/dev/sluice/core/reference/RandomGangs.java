package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Random gangs of submitted applications. */
final class RandomGangs {

    /** Labels of nodes that random clusters have. */
    static final List<String> LEVELS = List.of("zone", "disk");

    private final RandomSource random;
    private final boolean hard;

    /** Creates gangs; {@code hard} if some fail their application when they do not start in time. */
    RandomGangs(long seed, boolean hard) {
        this.random = new RandomSource(seed);
        this.hard = hard;
    }

    /** Returns the application, often with a gang of some of its tasks. */
    ApplicationSpec addTo(ApplicationSpec spec) {
        SortedMap<String, Integer> members = new TreeMap<>();
        for (TaskSpec task : spec.tasks()) {
            if (task.after().isEmpty() && random.percent(70)) {
                members.put(task.name(), 1 + random.below(task.size()));
            }
        }
        if (members.isEmpty() || random.percent(20)) {
            return spec;
        }
        return spec.withGang(Gang.of(members)
                .withStyle(hard && random.percent(40) ? Gang.Style.HARD : Gang.Style.SOFT)
                .withTimeout(random.of(Duration.ofSeconds(20), Duration.ofMinutes(2), Gang.TIMEOUT_DEFAULT))
                .withOnLoss(random.of(Gang.OnLoss.values()))
                .withTopology(random.percent(40) ? new Gang.Topology(random.of(LEVELS), random.percent(50)) : null));
    }
}
