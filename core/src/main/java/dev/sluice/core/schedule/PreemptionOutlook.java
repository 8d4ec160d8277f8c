package dev.sluice.core.schedule;

import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pending task that is below a guarantee, or may preempt by priority, could preempt on the nodes visited so far.
 */
public final class PreemptionOutlook {

    private final List<PreemptionScope> scopes = new ArrayList<>();
    private final TaskConstraints pending;
    private final @Nullable Queue fence;
    private final Instant now;
    private boolean helps;
    private long preemptible;
    private long protectedTasks;
    private @Nullable Instant protectionEnds;

    private PreemptionOutlook(
            List<PreemptionScope> scopes, TaskConstraints pending, @Nullable Queue fence, Instant now) {
        this.scopes.addAll(scopes);
        this.pending = pending;
        this.fence = fence;
        this.now = now;
    }

    /** Returns the outlook of the pending tasks of a group, or null if they have no reason to preempt others. */
    public static @Nullable PreemptionOutlook of(TaskGroup group, Partition partition, Instant now) {
        Application application = group.application();
        Queue leaf = application.queue();
        int priority = group.kind().priority();
        List<PreemptionScope> scopes = new ArrayList<>();
        PreemptionScope guarantee = PreemptionScope.ofGuarantee(leaf, group.demand(), priority, partition);
        if (guarantee.hasGuarantee()) {
            scopes.add(guarantee);
        }
        if (leaf.preemptsByPriority() && leaf.usesPriorities()) {
            scopes.add(PreemptionScope.ofPriority(application, group.demand(), priority, partition));
        }
        return scopes.isEmpty()
                ? null
                : new PreemptionOutlook(scopes, group.kind().constraints().tasks(), guarantee.fence(), now);
    }

    /** Adds the tasks of a node on which the pending task may run. */
    public void visit(Node node) {
        List<Task> unprotected = new ArrayList<>();
        for (Task task : node.isReady() ? node.tasks() : List.<Task>of()) {
            if (task.stopReason() == null && task.startedAt() != null && isIncluded(task)) {
                Instant until = task.protectedUntil();
                if (!until.isAfter(now)) {
                    preemptible++;
                    unprotected.add(task);
                } else {
                    protectedTasks++;
                    protectionEnds = protectionEnds == null || until.isBefore(protectionEnds) ? until : protectionEnds;
                }
            }
        }
        for (PreemptionScope scope : unprotected.isEmpty() ? List.<PreemptionScope>of() : scopes) {
            helps |= !scope.isEmpty()
                    && !Victims.victimsOn(node, unprotected, scope, pending).isEmpty();
        }
    }

    private boolean isIncluded(Task task) {
        return scopes.stream().anyMatch(scope -> scope.includes(task));
    }

    /** Returns whether tasks of one of the nodes make it fit. */
    public boolean helps() {
        return helps;
    }

    /** Returns the number of tasks that it may preempt, whether that helps or not. */
    public long preemptible() {
        return preemptible;
    }

    /** Returns the number of tasks that it could preempt if they were not protected. */
    public long protectedTasks() {
        return protectedTasks;
    }

    /** Returns when the first of these is no longer protected; null if there is none, or none ever is. */
    public @Nullable Instant protectionEnds() {
        return Instant.MAX.equals(protectionEnds) ? null : protectionEnds;
    }

    /** Returns the queue whose fence limits whom it may preempt, or null. */
    public @Nullable Queue fence() {
        return fence;
    }
}
