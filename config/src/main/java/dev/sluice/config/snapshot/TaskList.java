package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.matrix.TaskMatrix;
import dev.sluice.core.application.TaskCondition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The tasks of an application while they are read: their ids are distinct, and their dependencies exist. */
final class TaskList {

    private final ReadContext context;
    private final TaskReader reader;
    private final NameRegistry ids = new NameRegistry();
    private final List<TaskReader.Read> read = new ArrayList<>();
    private final List<TaskEntry> tasks = new ArrayList<>();
    private final List<Field> positions = new ArrayList<>(); // by index in tasks

    /** The ids of the tasks of each matrix, by the id in the file. */
    private final Map<String, List<String>> matrices = new HashMap<>();

    TaskList(ReadContext context, String partition) {
        this.context = context;
        this.reader = new TaskReader(context, partition);
    }

    /** Reads an item of the list, and passes on the tasks that it stands for. */
    void add(Field item, Consumer<TaskEntry> made) {
        if (!TaskMatrix.isIn(item)) {
            addTask(item, made);
            return;
        }
        List<String> all = new ArrayList<>();
        TaskMatrix.expand(
                item,
                context.expansionLimit(),
                task -> addTask(task, entry -> {
                    all.add(entry.spec().name());
                    made.accept(entry);
                }));
        String id = TaskMatrix.idOf(item);
        if (id != null) {
            matrices.put(id, all);
        }
    }

    private void addTask(Field field, Consumer<TaskEntry> made) {
        TaskReader.Read one = reader.read(field);
        if (one == null) {
            return;
        }
        TaskEntry task = one.task();
        read.add(one);
        NameRegistry.NameConflict conflict =
                ids.addDistinct(task.spec().name(), task.spec().count(), one.id());
        if (conflict != null) {
            one.id()
                    .problem("duplicate task id " + Field.quoted(conflict.name())
                            + " in this application: the first is in line "
                            + conflict.where().line());
            return;
        }
        made.accept(task);
        tasks.add(task);
        positions.add(field);
    }

    /** Returns all tasks, after a check of their dependencies. */
    List<TaskEntry> all() {
        if (!matrices.isEmpty()) {
            for (int i = 0; i < tasks.size() && !context.expansionLimit().isExceeded(); i++) {
                tasks.set(i, withMatrices(tasks.get(i)));
            }
        }
        if (context.hasAllTasks() && !context.expansionLimit().isExceeded()) {
            DependencyCheck.check(tasks, read, ids);
        }
        return tasks;
    }

    /** Returns the position of a task by its index in {@link #all}. */
    Field position(int index) {
        return positions.get(index);
    }

    /** Replaces dependencies on the id of a matrix by dependencies on each of its tasks. */
    private TaskEntry withMatrices(TaskEntry task) {
        Map<String, TaskCondition> after = task.spec().after();
        if (after.isEmpty() || after.keySet().stream().noneMatch(this::isMatrix)) {
            return task;
        }
        Map<String, TaskCondition> expanded = new LinkedHashMap<>();
        after.forEach((id, condition) -> {
            List<String> all = isMatrix(id) ? matrices.get(id) : null;
            boolean isFirst = !context.expansionLimit().isExceeded();
            if (all == null) {
                expanded.put(id, condition);
            } else if (context.expansionLimit().addDependencies(all.size())) {
                all.forEach(each -> expanded.put(each, condition));
            } else if (isFirst) {
                reportTooMany(task.spec().name());
            }
        });
        return task.withSpec(task.spec().withAfter(expanded));
    }

    private boolean isMatrix(@Nullable String id) {
        return matrices.containsKey(id) && !ids.contains(String.valueOf(id));
    }

    private void reportTooMany(String name) {
        for (TaskReader.Read one : read) {
            if (one.task().spec().name().equals(name)) {
                Field after = one.section().get("after");
                (after == null ? one.section().self() : after)
                        .problem(
                                "too many dependencies between tasks of matrices: add a task between them that waits for all");
                return;
            }
        }
    }
}
