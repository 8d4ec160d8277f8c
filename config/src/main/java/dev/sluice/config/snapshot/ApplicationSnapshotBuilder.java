package dev.sluice.config.snapshot;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Copies one application that has not ended, group by group, and keeps the copy up to date. The copy is made and updated on the thread that
 * owns the state; the {@linkplain #entry entry} is made of it on any thread afterwards.
 */
final class ApplicationSnapshotBuilder {

    private final Application application; // of another thread than its owner's only what never changes
    private final String queue;
    private final List<TaskGroupSnapshotBuilder> groups = new ArrayList<>(1);
    private int done; // of the groups, how many are copied as a whole
    private ApplicationState state;
    private Instant stateSince;
    private boolean sealed;

    ApplicationSnapshotBuilder(Application application) {
        this.application = application;
        this.queue = application.queue().path();
        this.state = application.state();
        this.stateSince = application.stateSince();
        this.sealed = application.isSealed();
    }

    String id() {
        return application.id();
    }

    /** Whether this copies that very application, and not another one of its id. */
    boolean isOf(Application other) {
        return application == other;
    }

    /** Its place in the order of submission. */
    long sequence() {
        return application.sequence();
    }

    /** Copies groups that were not copied yet; returns whether that was all of them. */
    boolean step(StepBudget budget) {
        List<TaskGroup> all = application.groups();
        for (; done < all.size(); done++) {
            TaskGroup group = all.get(done);
            if (groups.size() == done) {
                if (!budget.take()) {
                    return false;
                }
                groups.add(new TaskGroupSnapshotBuilder(group));
            }
            if (!groups.get(done).step(group, budget)) {
                return false;
            }
        }
        return true;
    }

    /** Whether there are groups that were not copied yet. */
    boolean isComplete() {
        return done == application.groups().size();
    }

    void onEvent(TaskEvent event) {
        TaskGroup group = application.group(event.task());
        if (group != null && group.index() < groups.size()) {
            groups.get(group.index()).onEvent(event, group);
        }
    }

    void onEvent(ApplicationEvent event) {
        state = application.state();
        stateSince = application.stateSince();
        sealed = application.isSealed();
        if (event instanceof ApplicationEvent.TasksDropped dropped) {
            TaskGroup group = application.group(dropped.tasks());
            if (group != null && group.index() < groups.size()) {
                groups.get(group.index()).dropped(group);
            }
        }
    }

    /** The application as an entry, in this partition. */
    ApplicationEntry entry(String partition, boolean withoutCores) {
        Map<String, TaskGroupSnapshotBuilder> byName = new HashMap<>();
        Set<String> startAwaited = new HashSet<>();
        for (TaskGroupSnapshotBuilder group : groups) {
            group.spec().after().forEach((name, condition) -> {
                if (condition == TaskCondition.STARTED) {
                    startAwaited.add(name);
                }
            });
            byName.put(group.spec().name(), group);
        }
        List<TaskEntry> tasks = new ArrayList<>(groups.size());
        for (TaskGroupSnapshotBuilder group : groups) {
            tasks.add(group.entry(
                    withoutCores,
                    (name, condition) -> {
                        TaskGroupSnapshotBuilder awaited = byName.get(name);
                        return awaited != null && awaited.has(condition);
                    },
                    startAwaited.contains(group.spec().name())));
        }
        ApplicationSpec spec = application.spec();
        return new ApplicationEntry(
                application.id(),
                spec.name(),
                partition,
                queue,
                spec.user(),
                spec.groups(),
                spec.tags(),
                spec.tag(),
                spec.basis(),
                application.submitted(),
                state,
                stateSince,
                sealed,
                spec.onFailure(),
                tasks);
    }
}
