package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The groups of one application, in the order of creation and by name. Groups share equal kinds; groups of different
 * kinds share equal resources and their vectors.
 */
final class TaskGroups {

    /** The maximum number of groups for which memory is reserved before they are read. */
    private static final int EXPECTED_MAX = 10_000;

    private final ArrayList<TaskGroup> groups = new ArrayList<>(0);
    private String firstName = "";
    private @Nullable Several several; // created with the second group, because most applications have only one

    /** The indexes of several groups: by name, by kind and by resources. */
    private static final class Several {

        final Names names;
        final List<TaskGroup> firstOfKind = new ArrayList<>(1);
        final IndexTable kinds =
                new IndexTable(number -> firstOfKind.get(number).kind().hashCode());
        final List<TaskGroup> firstOfResources = new ArrayList<>(1);
        final IndexTable resources = new IndexTable(
                number -> firstOfResources.get(number).kind().resources().hashCode());

        Several(Names names) {
            this.names = names;
        }

        /**
         * Adds a group.
         *
         * @param alike another group of the same kind, or null if there is none
         * @param equallyLarge another group with the same resources, or null if there is none
         */
        void add(TaskGroup group, @Nullable TaskGroup alike, @Nullable TaskGroup equallyLarge) {
            if (alike == null) {
                firstOfKind.add(group);
                kinds.add(group.kind().hashCode());
            }
            if (equallyLarge == null) {
                firstOfResources.add(group);
                resources.add(group.kind().resources().hashCode());
            }
        }

        /** Returns a group of this kind, or null. May miss one if the hashes of very many kinds collide. */
        @Nullable TaskGroup ofKind(TaskKind kind) {
            for (int number = kinds.first(kind.hashCode()); number != IndexTable.NONE; number = kinds.next(number)) {
                if (isSame(firstOfKind.get(number).kind(), kind)) {
                    return firstOfKind.get(number);
                }
            }
            return null;
        }

        /**
         * Returns a group with these resources, or null. May miss one if the hashes of very many resources collide.
         */
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

    /** Returns all groups in the order of creation. */
    List<TaskGroup> all() {
        return Collections.unmodifiableList(groups);
    }

    /** Returns the group with this name, or null. */
    @Nullable TaskGroup find(String name) {
        Several all = several;
        if (all == null) {
            return !groups.isEmpty() && firstName.equals(name) ? groups.get(0) : null;
        }
        int number = all.names.find(name);
        return number == IndexTable.NONE ? null : groups.get(number);
    }

    String name(int index) {
        return several == null ? firstName : several.names.get(index);
    }

    /** Reserves memory for this number of additional groups. */
    void reserve(int more) {
        groups.ensureCapacity(groups.size() + more);
    }

    /**
     * Adds the tasks of a specification as a group, which shares what it has in common with other groups.
     *
     * @param meanDuration the mean duration of earlier runs, for tasks without an expected duration
     */
    TaskGroup add(Application application, TaskSpec task, Demand demands, Duration meanDuration) {
        Several all = createSeveral();
        return add(application, task, all == null ? null : all.ofKind(task.kind()), demands, meanDuration);
    }

    private @Nullable Several createSeveral() {
        if (several == null && !groups.isEmpty()) {
            several = new Several(new Names());
            several.names.add(firstName);
            several.add(groups.get(0), null, null);
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
            kind = withSharedResources(equallyLarge.kind().resources(), task);
        }
        long[] demand = equallyLarge == null ? demands.of(task) : equallyLarge.demand();
        Duration own = kind.expectedDuration();
        TaskGroup group = new TaskGroup(application, kind, groups.size(), demand, own.isZero() ? meanDuration : own);
        groups.add(group);
        if (all == null) {
            firstName = task.name();
        } else {
            all.names.add(task.name());
            all.add(group, alike, equallyLarge);
        }
        return group;
    }

    /** Changes the specifications of groups, which then share again what they have in common. */
    void update(ApplicationUpdate update, Demand demands) {
        IdentityHashMap<TaskKind, TaskKind> changed = new IdentityHashMap<>();
        Several all = several == null ? null : new Several(several.names);
        for (TaskGroup group : groups) {
            TaskKind kind =
                    group.isUpdatedBy(update) ? changed.computeIfAbsent(group.kind(), update::applyTo) : group.kind();
            TaskGroup alike = all == null ? null : all.ofKind(kind);
            TaskSpec task = new TaskSpec(group.name(), kind);
            TaskGroup equallyLarge = all == null || alike != null ? alike : all.ofResources(kind.resources());
            long[] demand = equallyLarge == null ? demands.of(task) : equallyLarge.demand();
            group.setKind(
                    alike != null
                            ? alike.kind()
                            : equallyLarge == null
                                    ? kind
                                    : withSharedResources(equallyLarge.kind().resources(), task),
                    demand);
            if (all != null) {
                all.add(group, alike, equallyLarge);
            }
        }
        several = all;
    }

    /** Returns the task's kind with the given, equal resources, so that groups share the resources object. */
    @SuppressWarnings("ReferenceEquality") // compares objects to be shared
    private static TaskKind withSharedResources(Resources known, TaskSpec task) {
        return task.resources() == known
                ? task.kind()
                : task.withResources(known).kind();
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(groups.size());
        groups.forEach(group -> group.writeTo(out));
    }

    /** Reads the groups and restores what they shared. */
    @SuppressWarnings("ReferenceEquality") // the same object needs no comparison
    void readFrom(PartitionCheckpointReader in, Application application, Demand demands) {
        TaskKind before = null;
        int count = in.count();
        reserve(Math.min(count, EXPECTED_MAX));
        for (int left = count; left > 0; left--) {
            TaskSpec task = new TaskSpec(in.source().text(), in.source().kind());
            if (find(task.name()) != null) {
                throw PartitionCheckpointReader.corrupt("duplicate task " + task.name() + " in " + application);
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

    /**
     * Returns whether kinds are equal, including the order of their dependencies: messages name the first unmet one.
     */
    private static boolean isSame(TaskKind kind, TaskKind other) {
        return kind.equals(other)
                && List.copyOf(kind.after().keySet())
                        .equals(List.copyOf(other.after().keySet()));
    }
}
