package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.core.application.TaskCondition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks the dependencies of tasks: they must be tasks of the same application, without cycles. */
final class DependencyCheck {

    private static final int CYCLE_SHOWN_MAX = 12;

    private enum VisitState {
        VISITING,
        VISITED
    }

    private record Step(String id, Iterator<String> rest) {}

    private final Map<String, TaskEntry> byId;
    private final Map<String, Section> sections;
    private final Map<String, VisitState> marks = new HashMap<>();

    private DependencyCheck(Map<String, TaskEntry> byId, Map<String, Section> sections) {
        this.byId = byId;
        this.sections = sections;
    }

    /** Checks the tasks of one application; {@code all} has their positions, and those of tasks with problems. */
    static void check(List<TaskEntry> tasks, List<TaskReader.Read> all, NameRegistry ids) {
        if (tasks.stream().allMatch(task -> task.spec().after().isEmpty())) {
            return;
        }
        Map<String, TaskEntry> byId = new HashMap<>();
        tasks.forEach(task -> byId.put(task.spec().name(), task));
        Map<String, Section> sections = new HashMap<>();
        all.forEach(read -> sections.putIfAbsent(read.task().spec().name(), read.section()));
        for (TaskEntry task : tasks) {
            Map<String, TaskCondition> after = task.spec().after();
            if (after.isEmpty()) {
                continue;
            }
            Map<String, Field> fields = dependencyFields(
                    Objects.requireNonNull(sections.get(task.spec().name())));
            for (String id : after.keySet()) {
                Field field = fields.get(id);
                if (!byId.containsKey(id) && !sections.containsKey(id) && field != null) {
                    field.keyProblem(() -> unknown(id, byId, ids));
                }
            }
        }
        DependencyCheck check = new DependencyCheck(byId, sections);
        tasks.forEach(task -> check.walk(task.spec().name()));
    }

    private static String unknown(String id, Map<String, TaskEntry> byId, NameRegistry ids) {
        if (ids.contains(id)) {
            String whole = id.substring(0, id.lastIndexOf('-'));
            return Field.quoted(id) + " is one task of a group: write " + Field.quoted(whole)
                    + " to wait for the whole group";
        }
        return "unknown task " + Field.quoted(id) + SpellingHints.hint(id, byId.keySet());
    }

    private static Map<String, Field> dependencyFields(Section section) {
        Field after = section.get("after");
        return after == null ? Map.of() : after.asMap("conditions");
    }

    /** Searches depth-first from this task; a task that is reached again while it is being visited closes a cycle. */
    private void walk(String from) {
        if (marks.containsKey(from)) {
            return;
        }
        Deque<Step> path = new ArrayDeque<>();
        path.push(step(from));
        while (!path.isEmpty()) {
            Step step = path.element();
            if (!step.rest.hasNext()) {
                marks.put(step.id, VisitState.VISITED);
                path.pop();
                continue;
            }
            String next = step.rest.next();
            VisitState mark = marks.get(next);
            if (mark == VisitState.VISITING) {
                report(next, path);
            } else if (mark == null && byId.containsKey(next)) {
                path.push(step(next));
            }
        }
    }

    private Step step(String id) {
        marks.put(id, VisitState.VISITING);
        TaskEntry task = Objects.requireNonNull(byId.get(id));
        return new Step(id, task.spec().after().keySet().iterator());
    }

    private void report(String id, Deque<Step> path) {
        List<String> cycle = new ArrayList<>();
        for (Iterator<Step> steps = path.descendingIterator(); steps.hasNext(); ) {
            String each = steps.next().id;
            if (each.equals(id) || !cycle.isEmpty()) {
                cycle.add(each);
            }
        }
        String shown = cycle.size() <= CYCLE_SHOWN_MAX
                ? String.join(" after ", cycle)
                : String.join(" after ", cycle.subList(0, CYCLE_SHOWN_MAX)) + " after … ("
                        + (cycle.size() - CYCLE_SHOWN_MAX) + " more)";
        Section section = Objects.requireNonNull(sections.get(id));
        Field after = section.get("after");
        (after == null ? section.self() : after).problem("cyclic task dependencies: " + shown + " after " + id);
    }
}
