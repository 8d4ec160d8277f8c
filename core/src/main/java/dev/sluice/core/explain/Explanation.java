package dev.sluice.core.explain;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.TaskGroup;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Explains in steps why the tasks of an application wait; each step sees the state of its time. Without changes between
 * the steps, the result does not depend on their number.
 */
public final class Explanation {

    private final Explainer explainer;
    private final Application application;
    private final Map<WaitReason, WaitingGroups> byReason = new LinkedHashMap<>();
    private final WaitingGroups preempting = new WaitingGroups();
    private final WaitingGroups preemptingForMaximum = new WaitingGroups();
    private int next;
    private @Nullable Iterator<Map.Entry<WaitReason, WaitingGroups>> unlisted;

    /** Groups of tasks that wait for the same reason. */
    private static final class WaitingGroups {

        private final List<TaskGroup> groups = new ArrayList<>(1);
        private long tasks;

        void add(TaskGroup group, int count) {
            groups.add(group);
            tasks += count;
        }
    }

    Explanation(Explainer explainer, Application application) {
        this.explainer = explainer;
        this.application = application;
    }

    /** Examines further groups of tasks; returns whether all groups are done. */
    public boolean step(StepBudget budget) {
        List<TaskGroup> groups = application.groups();
        for (; next < groups.size(); next++) {
            if (!budget.take()) {
                return false;
            }
            TaskGroup group = groups.get(next);
            int delayed = group.isWaiting() ? 0 : group.delayed().size();
            if (group.unallocated() > delayed) {
                WaitReason reason = explainer.explain(group, budget);
                if (reason == null) {
                    return false;
                }
                add(reason, group, group.unallocated() - delayed);
            }
            if (delayed > 0) {
                add(WaitReason.RetryDelay.of(group), group, delayed);
            }
            int forMaximum = group.preemptingForMaximum();
            if (forMaximum > 0) {
                preemptingForMaximum.add(group, forMaximum);
            }
            if (group.preempting() > forMaximum) {
                preempting.add(group, group.preempting() - forMaximum);
            }
        }
        return true;
    }

    private void add(WaitReason reason, TaskGroup group, int tasks) {
        byReason.computeIfAbsent(reason, key -> new WaitingGroups()).add(group, tasks);
    }

    /**
     * Returns the waiting tasks, one entry per reason, in the order of the first affected task; tasks being preempted
     * come first.
     */
    public List<PendingSummary> waiting() {
        List<PendingSummary> waiting = new ArrayList<>(byReason.size() + 1);
        if (!listTo(waiting::add, Integer.MAX_VALUE, StepBudget.unlimited())) {
            throw new IllegalStateException("an unlimited list was interrupted");
        }
        return waiting;
    }

    /**
     * Passes the waiting tasks to a receiver, in this order and in steps, once all groups have been examined.
     *
     * @param groupsMax the maximum number of groups listed per reason
     * @return whether the list is complete
     */
    public boolean listTo(Consumer<PendingSummary> receiver, int groupsMax, StepBudget budget) {
        Iterator<Map.Entry<WaitReason, WaitingGroups>> entries = unlisted;
        if (entries == null) {
            if (!budget.take()) {
                return false;
            }
            String notServed = application.hasQueue() ? Explainer.notServedClass(application.queue()) : null;
            if (!preempting.groups.isEmpty()) {
                receiver.accept(waiting(preempting, new WaitReason.Preempting(notServed, false), groupsMax));
            }
            if (!preemptingForMaximum.groups.isEmpty()) {
                receiver.accept(waiting(preemptingForMaximum, new WaitReason.Preempting(notServed, true), groupsMax));
            }
            entries = byReason.entrySet().iterator();
            unlisted = entries;
        }
        while (entries.hasNext()) {
            if (!budget.take()) {
                return false;
            }
            Map.Entry<WaitReason, WaitingGroups> entry = entries.next();
            receiver.accept(waiting(entry.getValue(), entry.getKey(), groupsMax));
        }
        unlisted = null;
        return true;
    }

    private PendingSummary waiting(WaitingGroups waitingGroups, WaitReason reason, int groupsMax) {
        List<TaskGroup> named = waitingGroups.groups.subList(0, Math.min(groupsMax, waitingGroups.groups.size()));
        return new PendingSummary(application, named, waitingGroups.tasks, reason);
    }
}
