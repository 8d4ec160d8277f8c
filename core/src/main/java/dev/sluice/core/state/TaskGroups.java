package dev.sluice.core.state;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one application, in the order of creation and by name. What they have in common is kept once: kinds that are equal,
 * and of other kinds the resources that are equal, each with its vector.
 */
final class TaskGroups {

    /** For how many groups room is made although they have not been read yet. */
    private static final int EXPECTED_MAX = 10_000;

    private final ArrayList<TaskGroup> groups = new ArrayList<>(0);
    private String firstName = "";
    private @Nullable Several several; // from the second group on: most applications have one alone

    /** What finds one of several groups: by name, and by what others have in common with it. */
    private static final class Several {

        final Names names = new Names();
        final List<TaskGroup> firstOfKind = new ArrayList<>(1);
        final IndexTable kinds =
                new IndexTable(number -> firstOfKind.get(number).kind().hashCode());
        final List<TaskGroup> firstOfResources = new ArrayList<>(1);
        final IndexTable resources = new IndexTable(
                number -> firstOfResources.get(number).kind().resources().hashCode());

        /** Adds a group, which is the first of its kind or with its resources if no other is named. */
        void add(String name, TaskGroup group, @Nullable TaskGroup alike, @Nullable TaskGroup equallyLarge) {
            names.add(name);
            if (alike == null) {
                firstOfKind.add(group);
                kinds.add(group.kind().hashCode());
            }
            if (equallyLarge == null) {
                firstOfResources.add(group);
                resources.add(group.kind().resources().hashCode());
            }
        }

        /** A group of this very kind, or null; it is not found if the hashes of very many kinds agree. */
        @Nullable TaskGroup ofKind(TaskKind kind) {
            for (int number = kinds.first(kind.hashCode()); number != IndexTable.NONE; number = kinds.next(number)) {
                if (isSame(firstOfKind.get(number).kind(), kind)) {
                    return firstOfKind.get(number);
                }
            }
            return null;
        }

        /** A group whose tasks take as much, or null; it is not found if the hashes of very many resources agree. */
        @Nullable TaskGroup ofResources(Resources sought) {
            for (int number = resources.first(sought.hashCode());
                    number != IndexTable.NONE;
                    number = resources.next(number)) {
                if (firstOfResources.get(number).kind().resources().equals(sought)) {
                    return firstOfResources.get(number);
                }
            }
            return null;
        }
    }

    /** All of them, in the order of creation. */
    List<TaskGroup> all() {
        return Collections.unmodifiableList(groups);
    }

    /** The group of this name, or null. */
    @Nullable TaskGroup find(String name) {
        Several all = several;
        if (all == null) {
            return !groups.isEmpty() && firstName.equals(name) ? groups.get(0) : null;
        }
        int number = all.names.find(name);
        return number == IndexTable.NONE ? null : groups.get(number);
    }

    /** The name of the group with this index. */
    String name(int index) {
        return several == null ? firstName : several.names.get(index);
    }

    /** Makes room for so many more. */
    void expect(int more) {
        groups.ensureCapacity(groups.size() + more);
    }

    /**
     * Adds the tasks of a specification, which share with others what they have in common with them.
     *
     * @param meanDuration how long tasks like these took before, for tasks that do not say how long they take
     */
    TaskGroup add(Application application, TaskSpec task, Demand demands, Duration meanDuration) {
        Several all = severalIfAnyIsThere();
        return add(application, task, all == null ? null : all.ofKind(task.kind()), demands, meanDuration);
    }

    private @Nullable Several severalIfAnyIsThere() {
        if (several == null && !groups.isEmpty()) {
            several = new Several();
            several.add(firstName, groups.get(0), null, null);
        }
        return several;
    }

    private TaskGroup add(
            Application application, TaskSpec task, @Nullable TaskGroup alike, Demand demands, Duration meanDuration) {
        Several all = several;
        TaskGroup equallyLarge = all == null || alike != null ? alike : all.ofResources(task.resources());
        TaskKind kind = task.kind();
        if (alike != null) {
            kind = alike.kind();
        } else if (equallyLarge != null) {
            kind = sharing(equallyLarge.kind().resources(), task);
        }
        long[] demand = equallyLarge == null ? demands.of(task) : equallyLarge.demand();
        Duration own = kind.expectedDuration();
        TaskGroup group = new TaskGroup(application, kind, groups.size(), demand, own.isZero() ? meanDuration : own);
        groups.add(group);
        if (all == null) {
            firstName = task.name();
        } else {
            all.add(task.name(), group, alike, equallyLarge);
        }
        return group;
    }

    /** The task's kind with these resources, which are equal to its own and perhaps the same already. */
    @SuppressWarnings("ReferenceEquality") // it is the object that is shared
    private static TaskKind sharing(Resources known, TaskSpec task) {
        return task.resources() == known
                ? task.kind()
                : task.withResources(known).kind();
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(groups.size());
        groups.forEach(group -> group.writeTo(out));
    }

    /** Reads what was written; groups share again what they shared. */
    @SuppressWarnings("ReferenceEquality") // kinds that are one object need not be compared
    void readFrom(PartitionCheckpointReader in, Application application, Demand demands) {
        TaskKind before = null;
        int count = in.count();
        expect(Math.min(count, EXPECTED_MAX));
        for (int left = count; left > 0; left--) {
            TaskSpec task = new TaskSpec(in.source().text(), in.source().kind());
            if (find(task.name()) != null) {
                throw PartitionCheckpointReader.corrupt("there are two tasks " + task.name() + " in " + application);
            }
            Duration mean = task.expectedDuration().isZero() ? in.duration() : Duration.ZERO;
            TaskGroup group;
            if (groups.size() > 1 && task.kind() == before) {
                group = add(application, task, groups.get(groups.size() - 1), demands, mean);
            } else {
                group = add(application, task, demands, mean);
            }
            group.readProgress(in);
            before = task.kind();
        }
        groups.forEach(TaskGroup::linkDependencies);
    }

    /** Whether kinds are equal and wait for others in the same order, too, since people are told of the first that has not come about. */
    private static boolean isSame(TaskKind kind, TaskKind other) {
        return kind.equals(other)
                && List.copyOf(kind.after().keySet())
                        .equals(List.copyOf(other.after().keySet()));
    }
}
