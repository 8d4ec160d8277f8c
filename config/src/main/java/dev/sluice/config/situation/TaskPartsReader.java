package dev.sluice.config.situation;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the list under {@code parts} of a task with a count: which of its tasks are in another state than the rest. */
final class TaskPartsReader {

    private static final Keys KEYS = Keys.of("first", "count", "state", "node", "started", "placement");

    private final TaskReader tasks;
    private final Surroundings surroundings;

    TaskPartsReader(TaskReader tasks, Surroundings surroundings) {
        this.tasks = tasks;
        this.surroundings = surroundings;
    }

    /** The parts, as far as they can be parts of these tasks, the rest of which are in this state. */
    List<TaskPart> read(Section task, TaskSpec spec, TaskState rest) {
        Field list = task.get("parts");
        if (list == null) {
            return List.of();
        }
        if (surroundings.areJobs()) {
            list.problem("a job begins with all its tasks pending: leave the parts out");
            return List.of();
        }
        if (spec.count() == TaskSpec.SINGLE || rest.stands()) {
            list.problem(
                    spec.count() == TaskSpec.SINGLE
                            ? "parts are of several tasks: write a count, or a state instead"
                            : "what stands on a node besides the parts is a part, too: leave out state: "
                                    + rest.word());
            return List.of();
        }
        List<TaskPart> parts = new ArrayList<>();
        int end = 0;
        for (Field field : list.asList("parts")) {
            Section section = field.asSection("a part", KEYS);
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
        Long first = firstField == null ? null : firstField.asWholeNumber(end, spec.size() - 1L);
        long count = section.read("count", 1L, field -> field.asWholeNumber(1, TaskSpec.COUNT_MAX));
        TaskState state = stateField == null ? null : TaskReader.state(stateField);
        String node = section.readOrNull("node", tasks::node);
        Instant started = section.readOrNull("started", surroundings::past);
        Long placement = section.readOrNull("placement", TaskReader::placement);
        if (first == null || state == null) {
            return null;
        }
        if (first + count > spec.size()) {
            section.self()
                    .problem("there are " + spec.size() + " tasks, with indexes from 0 on: none at "
                            + (first + count - 1));
            return null;
        }
        for (String key : List.of("node", "started", "placement")) {
            Field given = section.get(key);
            if (given != null && (!state.stands() || (key.equals("placement") && count > 1))) {
                given.problem(
                        state.stands()
                                ? "a placement is of one task: leave the count out"
                                : "a task that is " + state.word() + " stands on no node: leave " + key + " out");
                return null;
            }
        }
        return new TaskPart(first.intValue(), (int) count, state, node, started, placement);
    }
}
