package dev.sluice.config.snapshot;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies an application that has not ended, group by group, and keeps the copy up to date. The copy is made and updated
 * on the thread that owns the state; the {@linkplain #entry entry} is then created from it on any thread.
 */
final class ApplicationSnapshotBuilder {

    private final Application application; // other threads read only what never changes
    private String queue;
    private final List<TaskGroupSnapshotBuilder> groups = new ArrayList<>(1);
    private int done; // the number of groups that are copied completely
    private ApplicationState state;
    private Instant stateSince;
    private @Nullable Instant pendingSince;
    private boolean sealed;
    private boolean held;
    private @Nullable Instant notBefore;
    private Map<String, ApplicationCondition> awaited;
    private boolean gangTimedOut;
    private boolean restarting;

    ApplicationSnapshotBuilder(Application application) {
        this.application = application;
        this.queue = application.queue().path();
        this.state = application.state();
        this.stateSince = application.stateSince();
        this.pendingSince = application.pendingSince();
        this.sealed = application.isSealed();
        this.held = application.isHeld();
        this.notBefore = application.notBefore();
        this.awaited = new LinkedHashMap<>(application.awaited());
        this.gangTimedOut = isGangTimedOut();
        this.restarting = isRestarting();
    }

    private boolean isGangTimedOut() {
        GangProgress gang = application.gang();
        return gang != null && gang.isTimedOut();
    }

    private boolean isRestarting() {
        GangProgress gang = application.gang();
        return gang != null && gang.isRestarting();
    }

    String id() {
        return application.id();
    }

    /** Returns whether this copies the same application object, not another one with its id. */
    boolean isOf(Application other) {
        return application == other;
    }

    /** Returns its position in submission order. */
    long sequence() {
        return application.sequence();
    }

    /** Copies further groups within the budget; returns whether all groups are copied. */
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

    /** Returns whether all groups are copied. */
    boolean isComplete() {
        return done == application.groups().size();
    }

    void onEvent(TaskEvent event) {
        pendingSince = application.pendingSince();
        restarting = isRestarting();
        TaskGroup group = application.group(event.task().task());
        if (group != null && group.index() < groups.size()) {
            groups.get(group.index()).onEvent(event, group);
        }
    }

    void onEvent(ApplicationEvent event) {
        queue = application.queue().path();
        state = application.state();
        stateSince = application.stateSince();
        pendingSince = application.pendingSince();
        sealed = application.isSealed();
        held = application.isHeld();
        notBefore = application.notBefore();
        awaited = new LinkedHashMap<>(application.awaited());
        gangTimedOut = isGangTimedOut();
        restarting = isRestarting();
        if (event instanceof ApplicationEvent.Updated) {
            for (int i = 0; i < groups.size(); i++) {
                groups.get(i).updated(application.groups().get(i));
            }
        }
        if (event instanceof ApplicationEvent.TasksDropped dropped) {
            TaskGroup group = application.group(dropped.tasks());
            if (group != null && group.index() < groups.size()) {
                groups.get(group.index()).dropped(group);
            }
        }
    }

    /** Returns the application as an entry of this partition. */
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
                application.submitted().equals(pendingSince) ? null : pendingSince,
                sealed,
                spec.onFailure(),
                new StartConditions(held, notBefore, awaited),
                gangTimedOut ? null : spec.gang(),
                restarting && !gangTimedOut,
                tasks,
                false);
    }
}
