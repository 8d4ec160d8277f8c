package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the list {@code parts} of a task with a count: the tasks that are in another state than the rest. */
final class TaskPartsReader {

    private final TaskReader tasks;
    private final ReadContext context;

    TaskPartsReader(TaskReader tasks, ReadContext context) {
        this.tasks = tasks;
        this.context = context;
    }

    /** Returns the valid parts of these tasks, the rest of which is in state {@code rest}. */
    List<TaskPart> read(Section task, TaskSpec spec, TaskState rest) {
        Field list = task.get("parts");
        if (list == null) {
            return List.of();
        }
        if (context.isJobFile()) {
            list.problem("all tasks of a job are pending: remove parts");
            return List.of();
        }
        if (spec.count() == TaskSpec.SINGLE || rest.isBound()) {
            list.problem(
                    spec.count() == TaskSpec.SINGLE
                            ? "parts need a count: add count, or write a state instead"
                            : "tasks outside of parts cannot be allocated: add another part instead of state: "
                                    + rest.wireName());
            return List.of();
        }
        List<TaskPart> parts = new ArrayList<>();
        int end = 0;
        for (Field field : list.asList("parts")) {
            Section section = field.asSection("a part", FileKeys.PART);
            TaskPart part = section == null ? null : part(section, spec, end);
            if (part != null) {
                parts.add(part);
                end = part.end();
            }
        }
        return parts;
    }

    private @Nullable TaskPart part(Section section, TaskSpec spec, int end) {
        Field firstField = section.require("first", "a part needs the index of its first task, such as first: 0");
        Field stateField = section.require("state", "a part needs a state, such as state: running");
        Long first = firstField == null ? null : firstField.asLong(end, spec.size() - 1L);
        long count = section.read("count", 1L, field -> field.asLong(1, TaskSpec.COUNT_MAX));
        TaskState state = stateField == null ? null : TaskReader.state(stateField);
        String node = section.readOrNull("node", tasks::node);
        Instant started = section.readOrNull("started", context::pastInstant);
        Long placement = section.readOrNull("placement", TaskReader::placement);
        if (first == null || state == null) {
            return null;
        }
        if (first + count > spec.size()) {
            section.self()
                    .problem("there are only " + spec.size() + " tasks, indexed from 0: no task has index "
                            + (first + count - 1));
            return null;
        }
        for (String key : List.of("node", "started", "placement")) {
            Field given = section.get(key);
            if (given != null && (!state.isBound() || (key.equals("placement") && count > 1))) {
                given.problem(
                        state.isBound()
                                ? "a placement belongs to one task: remove count"
                                : "a task in state " + state.wireName() + " has no node: remove " + key);
                return null;
            }
        }
        return new TaskPart(first.intValue(), (int) count, state, node, started, placement);
    }
}
