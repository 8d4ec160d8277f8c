package dev.sluice.core.explain;

import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.explain.PreemptionObstacle.Kind;
import dev.sluice.core.schedule.PreemptionOutlook;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out node by node why waiting tasks preempt nothing. */
final class PreemptionSurvey {

    private final TaskGroup group;
    private final List<Node> nodes;
    private final @Nullable PreemptionOutlook outlook;
    private final @Nullable PreemptionObstacle known;
    private int next;

    PreemptionSurvey(Partition partition, TaskGroup group, List<Node> nodes, Instant now) {
        this.group = group;
        this.nodes = nodes;
        this.outlook = PreemptionOutlook.of(group, partition, now);
        this.known = outlook == null ? null : immediate(partition, now);
    }

    TaskGroup group() {
        return group;
    }

    /** Returns the obstacle that follows without visiting nodes, or null. */
    private @Nullable PreemptionObstacle immediate(Partition partition, Instant now) {
        if (!partition.configuration().preemption()) {
            return new PreemptionObstacle(Kind.OFF, null, null, 0);
        }
        Queue leaf = group.application().queue();
        for (Queue queue = leaf; queue != null; queue = queue.parent()) {
            if (queue.configuration().properties().preemption().policy() == PreemptionPolicy.DISABLED) {
                return new PreemptionObstacle(Kind.DISABLED, queue.path(), null, 0);
            }
        }
        Instant since = group.application().pendingSince();
        Instant from = (since == null ? now : since).plus(leaf.preemptionDelay());
        return from.isAfter(now) ? new PreemptionObstacle(Kind.DELAY, null, from, 0) : null;
    }

    /** Returns whether the result does not depend on nodes. */
    boolean isImmediate() {
        return outlook == null || known != null;
    }

    /** Visits further nodes; returns whether all were visited. */
    boolean step(StepBudget budget) {
        if (outlook == null || isImmediate()) {
            return true;
        }
        while (next < nodes.size() && !outlook.helps()) {
            if (!budget.take()) {
                return false;
            }
            Node node = nodes.get(next++);
            String required = group.kind().requiredNode();
            boolean mayRun = required == null || required.equals(node.name());
            if (!node.isRemoved() && mayRun && NodeExclusion.of(group.kind().constraints(), node) == null) {
                outlook.visit(node);
            }
        }
        return true;
    }

    /** Returns the obstacle, once all nodes were visited; null if the tasks have no reason to preempt others. */
    @Nullable PreemptionObstacle obstacle() {
        if (outlook == null || known != null) {
            return known;
        }
        if (outlook.helps()) {
            return new PreemptionObstacle(Kind.NONE, null, null, 0);
        }
        if (outlook.protectedTasks() > 0) {
            return new PreemptionObstacle(Kind.PROTECTED, null, outlook.protectionEnds(), outlook.protectedTasks());
        }
        if (outlook.preemptible() > 0) {
            return new PreemptionObstacle(Kind.IN_VAIN, null, null, outlook.preemptible());
        }
        Queue fence = outlook.fence();
        return fence == null
                ? new PreemptionObstacle(Kind.NO_VICTIMS, null, null, 0)
                : new PreemptionObstacle(Kind.FENCE, fence.path(), null, 0);
    }
}
