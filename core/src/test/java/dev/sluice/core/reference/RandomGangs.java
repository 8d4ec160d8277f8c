package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Random gangs of submitted applications. */
final class RandomGangs {

    /** A topology of labels that nodes of random clusters have. */
    static final List<String> LABELS = List.of("zone", "disk");

    /** The same with the nodes themselves. */
    static final List<String> HOSTS = List.of("zone", "disk", Topology.HOST);

    private static final LabelSelector LEADER = LabelSelector.of(Map.of("role", "leader"), List.of());

    private final RandomSource random;
    private final RandomSource leaders;
    private final boolean hard;
    private final List<String> levels;

    /** Creates gangs; {@code hard} if some fail their application when they do not start in time. */
    RandomGangs(long seed, boolean hard, List<String> levels) {
        this.random = new RandomSource(seed);
        this.leaders = new RandomSource(~seed);
        this.hard = hard;
        this.levels = levels;
    }

    /** Returns the topology of the partition, from the widest level to the narrowest. */
    List<String> levels() {
        return levels;
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
        ApplicationSpec led =
                members.size() > 1 && leaders.percent(15) ? led(spec, List.copyOf(members.keySet())) : spec;
        return led.withGang(Gang.of(members)
                .withStyle(hard && random.percent(40) ? Gang.Style.HARD : Gang.Style.SOFT)
                .withTimeout(random.of(Duration.ofSeconds(20), Duration.ofMinutes(2), Gang.TIMEOUT_DEFAULT))
                .withOnLoss(random.of(Gang.OnLoss.values()))
                .withTopology(random.percent(40) ? new Gang.Topology(random.of(levels), random.percent(50)) : null));
    }

    /** Returns the application with a leader among the members, which the others must be beside or are spread with. */
    private ApplicationSpec led(ApplicationSpec spec, List<String> members) {
        String leader = leaders.of(members);
        String key = leaders.of("zone", "zone", Topology.HOST);
        TaskConstraints following = leaders.percent(70)
                ? TaskConstraints.NONE.withAffinity(new TaskAffinity(List.of(new TaskTerm(LEADER, key)), List.of()))
                : TaskConstraints.NONE.withSpread(List.of(TopologySpread.of(1, key, LEADER)));
        List<TaskSpec> tasks = spec.tasks().stream()
                .map(task -> !members.contains(task.name())
                        ? task
                        : task.withConstraints(task.constraints()
                                .withTasks(
                                        task.name().equals(leader)
                                                ? TaskConstraints.NONE.withLabels(Map.of("role", "leader"))
                                                : following)))
                .toList();
        return spec.withTasks(tasks);
    }
}
