package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.FailurePolicy;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code applications}. */
final class ApplicationReader {

    private static final Map<String, ApplicationState> STATES = new LinkedHashMap<>();
    private static final Map<String, FailurePolicy> POLICIES = new LinkedHashMap<>();

    private static final Map<String, ApplicationCondition> CONDITIONS = new LinkedHashMap<>();

    static {
        for (ApplicationCondition condition : ApplicationCondition.values()) {
            CONDITIONS.put(condition.wireName(), condition);
        }
        for (ApplicationState state : ApplicationState.values()) {
            STATES.put(state.wireName(), state);
        }
        for (FailurePolicy policy : FailurePolicy.values()) {
            POLICIES.put(policy.wireName(), policy);
        }
    }

    private final ReadContext context;
    private final Map<String, NameRegistry> ids = new HashMap<>();
    private final List<WorkloadSubmission> submissions = new ArrayList<>();
    private final IdentityHashMap<TaskEntry, Field> allocated = new IdentityHashMap<>(1);

    ApplicationReader(ReadContext context) {
        this.context = context;
    }

    /** Returns the applications of this list. */
    List<ApplicationEntry> read(@Nullable Field list) {
        List<ApplicationEntry> applications = new ArrayList<>();
        if (list != null) {
            for (Field field : list.asList("applications")) {
                Section section = field.asSection("an application", FileKeys.APPLICATION);
                if (section != null) {
                    applications.add(application(section, null));
                }
            }
        }
        return applications;
    }

    /** Returns the applications to be simulated, in the order of the file. */
    List<WorkloadSubmission> submissions() {
        return submissions;
    }

    /** Returns the position of this entry, compared by identity, if it has allocated tasks; null otherwise. */
    @Nullable Field fieldOf(TaskEntry task) {
        return allocated.get(task);
    }

    /**
     * Reads an application of a file. Without an id it is numbered when it is submitted.
     *
     * @param whenUnnamed the name if it has neither an id nor a name; null if it must have one of them
     */
    ApplicationEntry application(Section section, @Nullable String whenUnnamed) {
        Field field = section.get("id");
        if (field != null) {
            String id = field.asName("the id of an application", TaskSpec.NAME_LENGTH_MAX);
            return application(section, id == null ? "?" : id, null, field, false);
        }
        if (!context.isJobFile()) {
            section.require("id", "an application needs an id");
            return application(section, "?", null, null, false);
        }
        Field nameField = section.get("name");
        if (nameField == null && whenUnnamed == null) {
            section.require("id", "an application needs an id or a name");
        }
        String name = name(section, "name", whenUnnamed == null ? "?" : whenUnnamed);
        // a simulation numbers nothing: the name is the id
        boolean numbered = !context.isSimulation();
        return application(section, name, name, numbered ? null : nameField, numbered);
    }

    /** Reads an application that was given this id, which is not in the text. */
    ApplicationEntry withGivenId(Section section, String id) {
        return application(section, id, null, null, false);
    }

    /** Reads an application with this id; a null known name is read, too. */
    private ApplicationEntry application(
            Section section, String id, @Nullable String knownName, @Nullable Field idField, boolean numbered) {
        String partitionName = context.partitionName(section);
        KnownPartition partition = context.partition(partitionName);
        RecurrenceReader recurrence = RecurrenceReader.read(section, id, context);
        if (idField != null) {
            NameRegistry.NameConflict conflict = ids.computeIfAbsent(partitionName, name -> new NameRegistry())
                    .add(id, recurrence.times(), idField);
            if (conflict != null) {
                idField.problem("duplicate application id " + Field.quoted(conflict.name()) + " in partition "
                        + partitionName + ": the first is in line "
                        + conflict.where().line());
            }
        }
        ApplicationState state = section.readOrNull("state", field -> field.asEnum("state of an application", STATES));
        Instant stateSince = section.readOrNull("statesince", context::pastInstant);
        Instant pendingSince = section.readOrNull("pendingsince", context::pastInstant);
        boolean sealed = section.read("sealed", context.isSealedByDefault(), Field::asBoolean);
        List<TaskEntry> tasks = tasks(section, partitionName, state);
        String tag = section.readOrNull("tag", field -> field.asName("a tag", TaskSpec.NAME_LENGTH_MAX));
        String basis = section.readOrNull("basis", field -> field.asName("a basis", TaskSpec.NAME_LENGTH_MAX));
        Field basisField = section.get("basis");
        if (basisField != null && section.get("tag") == null) {
            basisField.problem("a basis needs a tag: add tag:");
        }
        if (context.isJobFile()) {
            for (String key : List.of("state", "statesince", "pendingsince", "restarting")) {
                Field field = section.get(key);
                if (field != null) {
                    field.problem("a job is a new application: remove " + key);
                }
            }
        }
        ApplicationEntry application = new ApplicationEntry(
                id,
                knownName == null ? name(section, "name", id) : knownName,
                partitionName,
                queue(section, partition),
                name(section, "user", ApplicationSpec.NOBODY),
                section.read(
                        "groups",
                        List.of(),
                        field -> field.asTexts("groups", each -> each.asName("a group", TaskSpec.NAME_LENGTH_MAX))),
                section.read(
                        "tags", Collections.emptySortedMap(), field -> field.asTextMap("tags", Field::asStrictText)),
                tag,
                tag == null ? null : basis,
                section.read("submitted", context.at(), context::submitted),
                state,
                stateSince,
                pendingSince,
                sealed,
                section.read("onfailure", FailurePolicy.CONTINUE, field -> field.asEnum("failure policy", POLICIES)),
                start(section),
                GangReader.read(section, tasks, partition, !context.isJobFile()),
                isRestarting(section),
                tasks,
                numbered);
        if (context.isSimulation()) {
            recurrence.of(application).ifPresent(submissions::add);
        }
        return application;
    }

    private static boolean isRestarting(Section section) {
        boolean restarting = section.read("restarting", false, Field::asBoolean);
        Field field = section.get("restarting");
        if (restarting && field != null && section.get("gang") == null) {
            field.problem("only a gang starts again: remove restarting, or add gang:");
        }
        return restarting;
    }

    private Map<String, ApplicationCondition> after(Section section) {
        Map<String, ApplicationCondition> after = new LinkedHashMap<>();
        Field field = section.get("after");
        if (field != null && !field.isMap()) {
            field.problem("after must be a map from application ids or names to succeeded, failed or ended, such as"
                    + " {night-17: succeeded}");
        } else if (field != null && context.isSimulation()) {
            field.problem("after of an application has no effect in a simulation: use submitted");
        } else if (field != null) {
            field.asMap("conditions").forEach((other, each) -> {
                ApplicationCondition condition = each.asEnum("condition", CONDITIONS);
                if (condition != null) {
                    after.put(other, condition);
                }
            });
        }
        return after;
    }

    private StartConditions start(Section section) {
        boolean hold = section.read("hold", false, Field::asBoolean);
        Field field = section.get("hold");
        if (hold && field != null && !context.canRelease()) {
            field.problem("nothing can release a held application here: remove hold");
        }
        return new StartConditions(hold, section.readOrNull("notbefore", context::notBefore), after(section));
    }

    private static String name(Section section, String key, String whenMissing) {
        return section.read(key, whenMissing, field -> field.asName("a " + key, TaskSpec.NAME_LENGTH_MAX));
    }

    private static @Nullable String queue(Section section, @Nullable KnownPartition partition) {
        Field field = section.get("queue");
        String written = field == null ? null : field.asText();
        if (field == null || written == null || written.isEmpty()) {
            if (partition != null && !partition.hasDefaultQueue() && (field == null || written != null)) {
                section.self()
                        .warning("this application has no queue, and partition " + partition.name()
                                + " has neither placement rules nor a leaf root.default: it will be rejected");
            }
            return null;
        }
        String path = written.toLowerCase(Locale.ROOT);
        if (partition != null) {
            partition.checkLeaf(field, path);
        }
        return path;
    }

    private List<TaskEntry> tasks(Section section, String partition, @Nullable ApplicationState state) {
        Field list = section.get("tasks");
        TaskList tasks = new TaskList(context, partition);
        List<Field> fields = list == null ? List.of() : list.asList("tasks");
        fields.forEach(field -> tasks.add(field, task -> {
            TaskState wrong = state == null ? null : firstNotOf(state, task);
            if (state != null && wrong != null) {
                field.problem("an application in state " + state.wireName() + " cannot have tasks in state "
                        + wrong.wireName());
            }
        }));
        List<TaskEntry> all = tasks.all();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).isBound()) {
                allocated.put(all.get(i), tasks.position(i));
            }
        }
        if (all.isEmpty() && state == null && (list == null || (list.isList() && list.size() == 0))) {
            noTasks(section);
        }
        return all;
    }

    private void noTasks(Section section) {
        if (context.isSimulation()) {
            section.self().problem("this application has no tasks: add tasks: with a list of tasks with durations");
        } else {
            section.self().warning("this application has no tasks");
        }
    }

    /**
     * Returns the first state of these tasks that no task of an application in this state can have; null if there is
     * none.
     */
    private static @Nullable TaskState firstNotOf(ApplicationState state, TaskEntry task) {
        for (TaskPart part : task.allParts()) {
            if (!mayHave(state, part.state())) {
                return part.state();
            }
        }
        return null;
    }

    /** Returns whether an application in this state can have a task in that state. */
    private static boolean mayHave(ApplicationState state, TaskState task) {
        return switch (state) {
            case NEW -> false;
            case ACCEPTED, RESUMING -> !task.isBound();
            case FAILING -> task != TaskState.PENDING;
            case COMPLETING, COMPLETED, FAILED, REJECTED, EXPIRED -> task.isEnded();
            case STARTING, RUNNING -> true;
        };
    }
}
