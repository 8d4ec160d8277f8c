package dev.sluice.simulator.workload.synthetic;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the list under {@code kinds}. */
final class ApplicationKindReader {

    private static final Distribution ONE = new Distribution.Constant(1);
    private static final Distribution ZERO = new Distribution.Constant(0);
    private static final int NUMBER_LENGTH_MAX = 14;

    private final Map<String, UserEntry> users;
    private final DailyCycle daily;
    private final Distribution burst;

    /** Reads kinds that refer to these users, with this daily cycle and these bursts as defaults. */
    ApplicationKindReader(Map<String, UserEntry> users, DailyCycle daily, Distribution burst) {
        this.users = users;
        this.daily = daily;
        this.burst = burst;
    }

    /** Returns the kinds in this list; invalid ones are skipped. */
    List<ApplicationKind> read(Field list) {
        List<ApplicationKind> kinds = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        Map<String, Field> names = new HashMap<>();
        List<Field> fields = list.asList("kinds of work");
        if (fields.size() > ApplicationKind.COUNT_MAX) {
            list.problem("too many kinds: the maximum is " + ApplicationKind.COUNT_MAX);
            return kinds;
        }
        for (Field field : fields) {
            Section section = field.asSection("a kind of work", SyntheticKeys.KIND);
            if (section == null) {
                continue;
            }
            Field nameField = section.require("name", "missing name of the kind");
            String name = nameField == null
                    ? null
                    : nameField.asName("the name of a kind", TaskSpec.NAME_LENGTH_MAX - NUMBER_LENGTH_MAX);
            Field first = nameField == null || name == null ? null : names.putIfAbsent(name, nameField);
            if (first != null && nameField != null) {
                nameField.problem("duplicate kind " + Field.quoted(String.valueOf(name)) + ": first defined in line "
                        + first.line());
            }
            double weight = WeightReader.read(section);
            weights.add(weight);
            ApplicationKind kind = kind(section, name == null ? "?" : name, weight);
            if (kind != null) {
                kinds.add(kind);
            }
        }
        if (list.isList() && weights.size() == fields.size()) {
            WeightReader.check(list, weights, "kind");
        }
        return kinds;
    }

    private @Nullable ApplicationKind kind(Section section, String name, double weight) {
        Field usersField = section.get("users");
        List<UserEntry> entries =
                usersField == null ? List.copyOf(users.values()) : UserReader.named(usersField, users);
        List<Double> weights = entries.stream().map(UserEntry::weight).toList();
        Distribution tasks = distribution(section, "tasks", ValueKind.COUNT, ONE);
        Distribution priority = distribution(section, "priority", ValueKind.PRIORITY, ZERO);
        Distribution bursts = distribution(section, "burst", ValueKind.COUNT, burst);
        Field durationField =
                section.require("duration", "missing duration of the tasks: write for example duration: 5m");
        Distribution duration =
                durationField == null ? null : DistributionReader.read(durationField, ValueKind.DURATION);
        SortedMap<String, Distribution> resources = resources(section.get("resources"));
        DailyCycle ownDaily = section.read("daily", daily, CycleReader::read);
        String partition = section.read(
                "partition",
                PartitionConfiguration.DEFAULT_NAME,
                field -> field.asName("the name of a partition", TaskSpec.NAME_LENGTH_MAX));
        boolean drawable = weights.stream().anyMatch(each -> each > 0);
        if (duration == null || !drawable) {
            return null;
        }
        return new ApplicationKind(
                name,
                weight,
                ownDaily,
                bursts,
                partition,
                entries,
                Weights.of(weights),
                tasks,
                resources,
                duration,
                priority);
    }

    private static Distribution distribution(Section section, String key, ValueKind measure, Distribution whenMissing) {
        return section.read(key, whenMissing, field -> DistributionReader.read(field, measure));
    }

    private static SortedMap<String, Distribution> resources(@Nullable Field map) {
        SortedMap<String, Distribution> resources = new TreeMap<>();
        if (map == null) {
            return resources;
        }
        map.asTypeMap("resource types and what is drawn of them").forEach((type, field) -> {
            if (type.isEmpty()) {
                field.keyProblem(() -> "resource type must not be empty");
            } else if (type.equals(ResourceTypes.SLOTS)) {
                field.problem("every task takes one slot: remove slots");
            } else {
                Distribution amount = DistributionReader.read(field, ValueKind.of(type));
                if (amount != null) {
                    resources.put(type, amount);
                }
            }
        });
        return resources;
    }
}
