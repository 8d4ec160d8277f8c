package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.Gang;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the gang of an application. */
final class GangReader {

    private static final Map<String, Gang.Style> STYLES = new LinkedHashMap<>();
    private static final Map<String, Gang.OnLoss> ON_LOSS = new LinkedHashMap<>();

    static {
        for (Gang.Style style : Gang.Style.values()) {
            STYLES.put(style.wireName(), style);
        }
        for (Gang.OnLoss onLoss : Gang.OnLoss.values()) {
            ON_LOSS.put(onLoss.wireName(), onLoss);
        }
    }

    private GangReader() {}

    /**
     * Returns the gang of an application with these tasks, or null.
     *
     * @param partition the partition of the application, or null if it is not known
     * @param snapshot whether the gang may have been submitted under another configuration of the partition
     */
    static @Nullable Gang read(
            Section application, List<TaskEntry> tasks, @Nullable KnownPartition partition, boolean snapshot) {
        Field field = application.get("gang");
        Section section = field == null ? null : field.asSection("a gang", GangKeys.GANG);
        if (field == null || section == null) {
            return null;
        }
        int before = field.problemCount();
        SortedMap<String, Integer> members = members(section, tasks);
        Duration timeout = section.read("timeout", Gang.TIMEOUT_DEFAULT, GangReader::timeout);
        Gang.Style style = section.read("style", Gang.Style.SOFT, each -> each.asEnum("gang style", STYLES));
        Gang.OnLoss onLoss = section.read("onloss", Gang.OnLoss.CONTINUE, each -> each.asEnum("loss policy", ON_LOSS));
        Gang.Topology topology = section.readOrNull("topology", each -> topology(each, partition, snapshot));
        long sum = members.values().stream().mapToLong(each -> each).sum();
        if (sum > Gang.MEMBERS_MAX) {
            field.problem("a gang has at most " + Gang.MEMBERS_MAX + " members: this one has " + sum);
        }
        return field.problemCount() > before || members.isEmpty()
                ? null
                : new Gang(members, style, timeout, onLoss, topology);
    }

    private static @Nullable Duration timeout(Field field) {
        Duration timeout = field.asDuration();
        if (timeout != null && timeout.isZero()) {
            field.problem("the timeout of a gang must be greater than 0");
            return null;
        }
        return timeout;
    }

    private static SortedMap<String, Integer> members(Section section, List<TaskEntry> tasks) {
        SortedMap<String, Integer> members = new TreeMap<>();
        Field field = section.require("tasks", "a gang needs tasks, such as tasks: {worker: 8}");
        if (field == null) {
            return members;
        }
        Map<String, TaskEntry> byName = new LinkedHashMap<>();
        tasks.forEach(task -> byName.put(task.spec().name(), task));
        int before = field.problemCount();
        field.asMap("members").forEach((name, each) -> {
            TaskEntry task = byName.get(name);
            Long count = each.asLong(1, Gang.MEMBERS_MAX);
            if (task == null) {
                each.keyProblem(() -> "a gang cannot have tasks " + Field.quoted(name)
                        + ": the application has no task with this id");
            } else if (!task.spec().after().isEmpty()) {
                each.keyProblem(() -> "a gang cannot have tasks " + Field.quoted(name)
                        + ", which start after other tasks: remove after, or leave them out of the gang");
            } else if (count != null && count > task.spec().size()) {
                each.problem("the gang needs " + count + " tasks " + Field.quoted(name) + ", but there "
                        + (task.spec().size() == 1 ? "is" : "are") + " only "
                        + task.spec().size() + ": lower the number or raise count");
            } else if (count != null) {
                members.put(name, count.intValue());
            }
        });
        if (members.isEmpty() && field.problemCount() == before) {
            field.problem("a gang needs tasks, such as tasks: {worker: 8}");
        }
        return members;
    }

    private static Gang.@Nullable Topology topology(Field field, @Nullable KnownPartition partition, boolean snapshot) {
        Section section = field.asSection("a gang topology", GangKeys.TOPOLOGY);
        Field key = section == null ? null : section.require("key", "a gang topology needs a key, such as key: rack");
        String name = key == null ? null : key.asText();
        if (section == null || key == null || name == null) {
            return null;
        }
        if (partition != null && !partition.topology().contains(name)) {
            String missing = "partition " + partition.name() + " has no topology key " + Field.quoted(name);
            String cure = partition.topology().isEmpty()
                    ? "add topology to its configuration, or remove topology here"
                    : "use one of " + String.join(", ", partition.topology());
            if (!snapshot) {
                key.problem(missing + ": " + cure);
                return null;
            }
            key.warning(missing + ": " + cure);
        }
        return new Gang.Topology(name, section.read("require", true, Field::asBoolean));
    }
}
