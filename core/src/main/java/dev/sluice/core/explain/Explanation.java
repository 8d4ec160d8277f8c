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
 * Why the tasks of an application wait, worked out piece by piece: tasks that are looked at later are looked at in the state as it is then.
 * While nothing changes between the pieces it does not matter how many there are.
 */
public final class Explanation {

    private final Explainer explainer;
    private final Application application;
    private final Map<WaitReason, Alike> byReason = new LinkedHashMap<>();
    private final Alike preempting = new Alike();
    private int next;
    private @Nullable Iterator<Map.Entry<WaitReason, Alike>> toList;

    /** Tasks that wait for the same reason. */
    private static final class Alike {

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

    /** Goes on with the groups of tasks; returns whether all were looked at. */
    public boolean look(StepBudget looks) {
        List<TaskGroup> groups = application.groups();
        for (; next < groups.size(); next++) {
            if (!looks.take()) {
                return false;
            }
            TaskGroup group = groups.get(next);
            if (group.unallocated() > 0) {
                WaitReason reason = explainer.explain(group, looks);
                if (reason == null) {
                    return false;
                }
                byReason.computeIfAbsent(reason, key -> new Alike()).add(group, group.unallocated());
            }
            if (group.preempting() > 0) {
                preempting.add(group, group.preempting());
            }
        }
        return true;
    }

    /** What waits, with one entry per reason, in the order of the first task concerned; what makes way first. */
    public List<PendingSummary> waiting() {
        List<PendingSummary> waiting = new ArrayList<>(byReason.size() + 1);
        if (!listTo(waiting::add, Integer.MAX_VALUE, StepBudget.unlimited())) {
            throw new IllegalStateException("an unlimited list was interrupted");
        }
        return waiting;
    }

    /**
     * Passes on what waits, in that order and piece by piece, when all groups were looked at.
     *
     * @param groupsMax how many groups are named with each reason
     * @return whether that was all
     */
    public boolean listTo(Consumer<PendingSummary> receiver, int groupsMax, StepBudget looks) {
        Iterator<Map.Entry<WaitReason, Alike>> entries = toList;
        if (entries == null) {
            if (!looks.take()) {
                return false;
            }
            if (!preempting.groups.isEmpty()) {
                String notServed = application.hasQueue() ? Explainer.notServedClass(application.queue()) : null;
                receiver.accept(waiting(preempting, new WaitReason.Preempting(notServed), groupsMax));
            }
            entries = byReason.entrySet().iterator();
            toList = entries;
        }
        while (entries.hasNext()) {
            if (!looks.take()) {
                return false;
            }
            Map.Entry<WaitReason, Alike> entry = entries.next();
            receiver.accept(waiting(entry.getValue(), entry.getKey(), groupsMax));
        }
        toList = null;
        return true;
    }

    private PendingSummary waiting(Alike alike, WaitReason reason, int groupsMax) {
        List<TaskGroup> named = alike.groups.subList(0, Math.min(groupsMax, alike.groups.size()));
        return new PendingSummary(application, named, alike.tasks, reason);
    }
}
