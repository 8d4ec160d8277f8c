package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.Attempts;
import dev.sluice.core.application.Retries;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads an item of the list {@code tasks}. */
final class TaskReader {

    private static final Map<String, TaskState> STATES = new LinkedHashMap<>();
    private static final Map<String, TaskCondition> CONDITIONS = new LinkedHashMap<>();

    static {
        for (TaskState state : TaskState.values()) {
            if (state != TaskState.WAITING) {
                STATES.put(state.wireName(), state);
            }
        }
        for (TaskCondition condition : TaskCondition.values()) {
            CONDITIONS.put(condition.wireName(), condition);
        }
    }

    private static final List<String> OF_ALLOCATED = List.of("node", "started", "placement");
    private static final String NO_DURATION = "a simulated task needs a duration, such as duration: 5m";

    private final ReadContext context;
    private final String partition;
    private final TaskPartsReader parts;
    private final CommandReader commands;
    private final ConstraintsReader constraints;

    TaskReader(ReadContext context, String partition) {
        this.context = context;
        this.partition = partition;
        this.parts = new TaskPartsReader(this, context);
        this.commands = new CommandReader(context.origin());
        this.constraints = new ConstraintsReader(context, partition);
    }

    /** A task with the map it was read from, and its id there. */
    record Read(TaskEntry task, Section section, Field id) {}

    /** Reads a task; null after a problem that leaves nothing to return. */
    @Nullable Read read(Field field) {
        Section section = field.asSection("a task", FileKeys.TASK);
        if (section == null) {
            return null;
        }
        Field idField = section.require("id", "a task needs an id");
        String id = idField == null ? null : idField.asName("the id of a task", TaskSpec.NAME_LENGTH_MAX);
        TaskState state = section.read("state", TaskState.PENDING, TaskReader::state);
        String node = section.readOrNull("node", this::node);
        Instant started = section.readOrNull("started", context::pastInstant);
        Long placement = section.readOrNull("placement", TaskReader::placement);
        TaskCommand command = commands.read(section, context.isRun());
        TaskSpec spec = new TaskSpec(id == null ? "?" : id, kind(section, context.isSimulation() ? null : command));
        Duration duration = duration(section);
        if (context.isJobFile() && state != TaskState.PENDING) {
            position(section, "state").problem("all tasks of a job are pending: remove state");
            return null;
        }
        List<TaskPart> inOtherStates = parts.read(section, spec, state);
        List<TaskDelay> delays = section.read("delays", List.of(), each -> delays(each, spec, state, inOtherStates));
        boolean isBound = state.isBound();
        for (String key : OF_ALLOCATED) {
            Field given = section.get(key);
            if (given != null && !isBound) {
                given.problem("a task in state " + state.wireName() + " has no node: remove " + key
                        + ", or write state: running"
                        + (key.equals("node") ? "; to require a node, write requirednode" : ""));
            }
        }
        return id == null || idField == null
                ? null
                : new Read(
                        new TaskEntry(
                                spec,
                                state,
                                isBound ? node : null,
                                isBound ? started : null,
                                isBound && spec.size() == 1 ? placement : null,
                                duration,
                                inOtherStates,
                                delays),
                        section,
                        idField);
    }

    private @Nullable List<TaskDelay> delays(Field field, TaskSpec spec, TaskState state, List<TaskPart> parts) {
        if (context.isJobFile()) {
            field.problem("no task of a job has failed: remove delays");
            return null;
        }
        if (state != TaskState.PENDING) {
            field.problem("only pending tasks are delayed, not " + state.wireName() + " ones: remove delays");
            return null;
        }
        return RetriesReader.delays(field, spec, parts);
    }

    private static Field position(Section section, String key) {
        Field field = section.get(key);
        return field == null ? section.self() : field;
    }

    private TaskKind kind(Section section, @Nullable TaskCommand command) {
        return new TaskKind(
                section.read("count", (long) TaskSpec.SINGLE, field -> field.asLong(1, TaskSpec.COUNT_MAX))
                        .intValue(),
                section.read("resources", Resources.NONE, this::resources),
                section.read("priority", 0L, field -> field.asLong(Integer.MIN_VALUE, Integer.MAX_VALUE))
                        .intValue(),
                section.read("expectedduration", Duration.ZERO, Field::asDuration),
                section.readOrNull("durationkey", field -> field.asName("a durationkey", TaskSpec.NAME_LENGTH_MAX)),
                constraints.read(section),
                section.readOrNull("requirednode", this::node),
                section.read("after", Map.of(), TaskReader::after),
                attempts(section),
                command);
    }

    private static Attempts attempts(Section section) {
        Attempts attempts = new Attempts(
                section.read("retries", Retries.NONE, RetriesReader::read),
                count(section, "lostretries", Attempts.DEFAULTS.lostRetries()),
                section.readOrNull("timeout", TaskReader::timeout),
                section.read("preemptible", true, Field::asBoolean));
        return attempts.equals(Attempts.DEFAULTS) ? Attempts.DEFAULTS : attempts;
    }

    private static int count(Section section, String key, long whenMissing) {
        return section.read(key, whenMissing, field -> field.asLong(0, Integer.MAX_VALUE))
                .intValue();
    }

    /** Reads the sequence number of an allocation. */
    static @Nullable Long placement(Field field) {
        return field.asLong(0, Long.MAX_VALUE);
    }

    /** Reads a state that a file may have. */
    static @Nullable TaskState state(Field field) {
        if (!field.isList() && !field.isMap() && TaskState.WAITING.wireName().equals(field.asText())) {
            field.problem("waiting follows from after: write pending");
            return null;
        }
        return field.asEnum("state of a task", STATES);
    }

    /** Reads the name of a known node. */
    @Nullable String node(Field field) {
        String name = field.asName("the name of a node", TaskSpec.NAME_LENGTH_MAX);
        NameRegistry nodes = context.nodes(partition);
        if (name != null && !(context.isJobFile() && nodes.isEmpty()) && !nodes.contains(name)) {
            field.problem(() -> "unknown node " + Field.quoted(name) + " in partition " + partition + nodes.hint(name));
            return null;
        }
        return name;
    }

    private Resources resources(Field field) {
        Resources resources = context.requested(partition, field);
        if (!resources.names(ResourceTypes.SLOTS)) {
            return resources;
        }
        field.typePosition(ResourceTypes.SLOTS).problem("slots cannot be requested, every task takes one: remove this");
        SortedMap<String, Amount> rest = new TreeMap<>(resources.amounts());
        rest.remove(ResourceTypes.SLOTS);
        return Resources.of(rest);
    }

    private static Map<String, TaskCondition> after(Field field) {
        if (!field.isMap()) {
            field.problem("after must be a map from task ids to started or succeeded, such as {prepare: succeeded}");
            return Map.of();
        }
        Map<String, TaskCondition> after = new LinkedHashMap<>();
        field.asMap("conditions").forEach((id, each) -> {
            TaskCondition condition = each.asEnum("condition", CONDITIONS);
            if (condition != null) {
                after.put(id, condition);
            }
        });
        return after;
    }

    private @Nullable Duration duration(Section section) {
        return context.isSimulation() && section.require("duration", NO_DURATION) == null
                ? null
                : section.readOrNull("duration", Field::asDuration);
    }

    private static @Nullable Duration timeout(Field field) {
        Duration timeout = field.asDuration();
        if (timeout != null && timeout.isZero()) {
            field.problem("a timeout must be greater than 0: remove it for no limit");
            return null;
        }
        return timeout;
    }
}
