package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Random submissions, with few distinct values so that ties are frequent. */
final class RandomTasks {

    private final RandomSource chance;
    private final List<String> types;
    private final int countMax;
    private final int sizeMax;
    private final boolean priorities;
    private final boolean constraints;
    private final boolean dependencies;
    private @Nullable RandomConstraints constraining;

    RandomTasks(RandomSource chance, List<String> types) {
        this(chance, types, 0);
    }

    /** Generates tasks that take at most this number of units per resource; 0: a random number. */
    RandomTasks(RandomSource chance, List<String> types, int sizeMax) {
        this.chance = chance;
        this.types =
                types.stream().filter(type -> !type.equals(ResourceTypes.SLOTS)).toList();
        countMax = chance.of(2, 6, 20);
        this.sizeMax = sizeMax > 0 ? sizeMax : chance.of(1, 2, 4, 8);
        priorities = chance.percent(50);
        constraints = chance.percent(50);
        dependencies = chance.percent(50);
    }

    /** Gives tasks more constraints, and nodes more labels. */
    void constrain(RandomConstraints more) {
        constraining = more;
    }

    /** Returns the unit of this type: all amounts are small multiples of it. */
    static long unit(String type) {
        return switch (type) {
            case ResourceTypes.VCORE -> 500;
            case ResourceTypes.MEMORY -> 1L << 30;
            default -> 1;
        };
    }

    ApplicationSpec application(String id, @Nullable String queue) {
        boolean sealed = chance.percent(50);
        List<TaskSpec> tasks = tasks(List.of(), sealed ? 1 : 0);
        String user = chance.of(RandomConfiguration.USERS);
        SortedMap<String, String> tags = new TreeMap<>();
        if (chance.percent(50)) {
            tags.put("team", chance.of("t1", "t2"));
        }
        @Nullable String tag = chance.percent(20) ? "v" + chance.below(12) : null;
        return ApplicationSpec.open(id, queue)
                .withName(chance.of(id, "nightly", "hourly"))
                .withUser(user)
                .withTags(tags)
                .withTag(tag, tag != null && chance.percent(60) ? chance.of("main", "side") : null)
                .withSealed(sealed)
                .withOnFailure(chance.of(FailurePolicy.values()))
                .withTasks(tasks);
    }

    /** Returns a few tasks that may depend on these or on each other. */
    List<TaskSpec> tasks(List<String> known, int least) {
        List<String> names = new ArrayList<>(known);
        List<TaskSpec> tasks = new ArrayList<>();
        int count = Math.max(least, chance.below(4));
        for (int i = 0; i < count; i++) {
            TaskSpec task = task("t" + names.size(), names);
            names.add(task.name());
            tasks.add(task);
        }
        return tasks;
    }

    private TaskSpec task(String name, List<String> known) {
        Map<String, TaskCondition> after = new LinkedHashMap<>();
        if (dependencies && !known.isEmpty() && chance.percent(30)) {
            after.put(chance.of(known), chance.of(TaskCondition.values()));
        }
        return new TaskSpec(
                name,
                chance.percent(40) ? TaskSpec.SINGLE : 1 + chance.below(countMax),
                resources(),
                priorities ? chance.of(0, 0, 0, 1, 5, -3) : 0,
                Duration.ofMinutes(chance.of(0, 0, 0, 1, 10)),
                chance.percent(10) ? "key" : null,
                constraints(constraints && chance.percent(30) ? labels() : new TreeMap<>()),
                constraints && chance.percent(10) ? "n" + chance.below(8) : null,
                after,
                new Attempts(
                        chance.of(0, 0, 1, 2),
                        chance.of(0, 1, Attempts.LOST_RETRIES_DEFAULT),
                        chance.percent(20) ? Duration.ofMinutes(chance.of(1, 3)) : null));
    }

    /** Returns other amounts for some resource types. */
    Resources updated(RandomSource random) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (String type : types) {
            if (random.percent(60)) {
                amounts.put(type, new Amount(unit(type) * random.below(sizeMax + 2)));
            }
        }
        return Resources.of(amounts);
    }

    private Resources resources() {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        for (String type : types) {
            if (chance.percent(type.equals(ResourceTypes.VCORE) ? 90 : 50)) {
                amounts.put(type, new Amount(unit(type) * (chance.percent(5) ? 0 : 1 + chance.below(sizeMax))));
            }
        }
        return Resources.of(amounts);
    }

    private Constraints constraints(SortedMap<String, String> selector) {
        Constraints constraints = Constraints.ofSelector(selector);
        return constraining == null ? constraints : constraining.more(constraints);
    }

    /** Returns the labels of a node. */
    SortedMap<String, String> nodeLabels() {
        return constraining == null ? labels() : constraining.labelled(labels());
    }

    /** Returns labels of nodes and of required labels of tasks. */
    SortedMap<String, String> labels() {
        SortedMap<String, String> labels = new TreeMap<>();
        if (chance.percent(60)) {
            labels.put("zone", chance.of("x", "y"));
        }
        if (chance.percent(40)) {
            labels.put("disk", "ssd");
        }
        return labels;
    }
}
