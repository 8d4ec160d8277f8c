package dev.sluice.core.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The laws of one preemption with a beneficiary, for {@link PreemptionPropertyTest}. */
final class PreemptionLaws {

    /** The partition before the preemption. */
    private final Partition partition;

    private final StopReason reason;
    private final TaskEvent.Placed placed;
    private final Instant now;
    private final TaskGroup group;
    private final Queue leaf;
    private final Node node;
    private final List<Task> victims = new ArrayList<>();
    private final int end;

    /** Reads the preemption that begins at this event of the journal, which is not applied to the partition yet. */
    PreemptionLaws(List<Event> journal, int first, Partition partition) {
        this.partition = partition;
        TaskEvent.Stopping stopping = (TaskEvent.Stopping) journal.get(first);
        reason = stopping.reason();
        int at = first;
        for (; !(journal.get(at) instanceof TaskEvent.Placed); at++) {
            if (journal.get(at) instanceof TaskEvent.Stopping stop) {
                assertThat(stop.beneficiary())
                        .as("beneficiary of victims until one is placed")
                        .isEqualTo(stopping.beneficiary());
                victims.add(QuotaLaws.taskOf(stop, partition));
            }
        }
        end = at;
        placed = (TaskEvent.Placed) journal.get(at);
        assertThat(placed.task()).as("placed beneficiary").isEqualTo(stopping.beneficiary());
        now = placed.at();
        node = Objects.requireNonNull(partition.node(placed.node()));
        group = Objects.requireNonNull(
                partition.existing(placed.application()).group(placed.task().task()));
        leaf = group.application().queue();
    }

    /** Returns whether an event stops a task for a beneficiary. */
    static boolean isStop(Event event) {
        return event instanceof TaskEvent.Stopping stopping
                && stopping.reason().isPreemption()
                && !QuotaLaws.isStop(event);
    }

    /** Returns the place in the journal at which the beneficiary is allocated. */
    int end() {
        return end;
    }

    StopReason reason() {
        return reason;
    }

    TaskRef beneficiary() {
        return placed.task();
    }

    TaskGroup group() {
        return group;
    }

    List<Task> victims() {
        return victims;
    }

    void check() {
        checkBeneficiary();
        checkNoneSpared();
        victims.forEach(this::checkVictim);
        checkGuarantees();
    }

    /** It is pending, has waited for the delay, and would pass every check without its victims. */
    private void checkBeneficiary() {
        assertThat(group.isUnallocated(placed.task().position()))
                .as("pending beneficiary")
                .isTrue();
        assertThat(group.application().isGangWaiting()).as("waiting gang").isFalse();
        assertThat(leaf.isPreemptionDisabled()).isFalse();
        if (reason != StopReason.REBALANCE) {
            Instant since = Objects.requireNonNull(group.application().pendingSince());
            assertThat(since.plus(leaf.preemptionDelay()))
                    .as("end of the delay")
                    .isBeforeOrEqualTo(now);
        }
        assertThat(node.isReady()).isTrue();
        assertThat(fits(victims)).as("fits without its victims").isTrue();
        Map<String, ReferenceNode> nodes = new LinkedHashMap<>();
        ReferenceNeighbours neighbours = new ReferenceNeighbours(nodes.values());
        for (Node each : partition.nodes()) {
            nodes.put(each.name(), new ReferenceNode(each, each.isReady(), neighbours));
        }
        Map<String, ReferenceApplication> applications = new LinkedHashMap<>();
        List<String> levels = partition.configuration().topology();
        ReferenceQueue root = new ReferenceQueue(partition.queues().root(), null, applications, nodes, levels);
        ReferenceQueue queue = root.queues()
                .filter(each -> each.path.equals(leaf.path()))
                .findFirst()
                .orElseThrow();
        ReferenceTask task = new ReferenceTask(group, placed.task().position());
        ReferenceApplication application = Objects.requireNonNull(applications.get(placed.application()));
        assertThat(ReferencePreemption.isPermitted(queue, application, task))
                .as("limits permit %s", placed.task())
                .isTrue();
        ReferenceNode on = Objects.requireNonNull(nodes.get(node.name()));
        assertThat(on.mayRun(task)).as("constraints on nodes permit %s", node).isTrue();
        assertThat(neighbours.permit(task, on))
                .as("other tasks permit %s", node)
                .isTrue();
        assertThat(on.standing)
                .filteredOn(other -> isVictim(other.name()))
                .as("tasks that it must be beside")
                .noneMatch(other -> ReferenceNeighbours.needs(task, other));
    }

    private boolean isVictim(String name) {
        return victims.stream()
                .anyMatch(victim -> name.equals(
                        victim.application().id() + "/" + victim.group().name() + "[" + victim.index() + "]"));
    }

    private void checkNoneSpared() {
        for (Task victim : victims) {
            List<Task> fewer = victims.stream().filter(other -> other != victim).toList();
            assertThat(fits(fewer)).as("fits without %s", victim).isFalse();
        }
    }

    private void checkVictim(Task victim) {
        assertThat(victim.node()).as("node of %s", victim).isSameAs(node);
        assertThat(victim.stopReason()).as("earlier stop of %s", victim).isNull();
        assertThat(victim.protectedUntil()).as("protection").isBeforeOrEqualTo(now);
        Queue common = leaf;
        while (!contains(common, victim.application().queue())) {
            assertThat(common.isPreemptionFence()).as("fence %s", common).isFalse();
            common = Objects.requireNonNull(common.parent());
        }
        if (reason == StopReason.REBALANCE) {
            return;
        }
        assertThat(victim.startedAt()).as("start of %s", victim).isNotNull();
        if (reason == StopReason.PRIORITY) {
            assertThat(common).isSameAs(leaf);
            assertThat(leaf.preemptsByPriority() && leaf.usesPriorities()).isTrue();
            assertThat(victim.application()).isNotSameAs(group.application());
            assertThat(victim.kind().priority()).isLessThan(group.kind().priority());
        } else {
            checkEntitlement(common);
            assertThat(!common.usesPriorities()
                            || shown(
                                            victim.kind().priority(),
                                            victim.application().queue(),
                                            common)
                                    <= shown(group.kind().priority(), leaf, common))
                    .as("priority of %s below %s", victim, common)
                    .isTrue();
        }
    }

    /** Below the queue that contains both, every queue stays within its guarantee, and one guarantees something. */
    private void checkEntitlement(Queue common) {
        boolean guaranteed = false;
        for (Queue queue = leaf; queue != common; queue = Objects.requireNonNull(queue.parent())) {
            assertThat(Objects.requireNonNull(queue.parent()).sharePolicy()).isEqualTo(SharePolicyKind.FAIR);
            for (int type = 0; type < partition.types().size(); type++) {
                boolean requested = group.demand(type) > 0 && queue.guaranteed(type) > 0;
                guaranteed |= requested;
                assertThat(!requested || queue.allocated(type) + group.demand(type) <= queue.guaranteed(type))
                        .as("%s stays within its guarantee", queue)
                        .isTrue();
            }
        }
        assertThat(guaranteed).as("a guarantee below %s", common).isTrue();
    }

    /** Returns the priority of a task of a leaf as this queue above sees it. */
    private static long shown(int priority, Queue leaf, Queue above) {
        long shown = priority;
        for (Queue queue = leaf; queue != above; queue = Objects.requireNonNull(queue.parent())) {
            QueueProperties properties = queue.configuration().properties();
            shown = properties.priorityOffset() + (properties.priorityFence() ? 0 : shown);
        }
        return shown;
    }

    /** No queue that becomes smaller falls below its guarantee; for a guarantee, what is missing becomes less. */
    private void checkGuarantees() {
        long missingBefore = 0;
        long missingAfter = 0;
        for (Queue queue : partition.queues().all()) {
            for (int type = 0; type < partition.types().size(); type++) {
                long before = queue.allocated(type);
                long after = before + (contains(queue, leaf) ? group.demand(type) : 0) - removed(victims, queue, type);
                assertThat(after >= before || after >= queue.guaranteed(type))
                        .as("%s keeps its guarantee", queue)
                        .isTrue();
                missingBefore += Math.max(0, queue.guaranteed(type) - before);
                missingAfter += Math.max(0, queue.guaranteed(type) - after);
            }
        }
        assertThat(missingAfter).as("unmet guarantees").isLessThanOrEqualTo(missingBefore);
        if (reason == StopReason.GUARANTEE) {
            assertThat(missingAfter).as("unmet guarantees").isLessThan(missingBefore);
        }
    }

    /** Returns whether the beneficiary fits the node and is within all maxima without these tasks. */
    private boolean fits(List<Task> without) {
        for (int type = 1; type < partition.types().size(); type++) { // nodes do not declare slots
            long removed = removed(without, partition.queues().root(), type);
            if (group.demand(type) > node.capacity(type) - node.allocated(type) + removed) {
                return false;
            }
            for (Queue queue = leaf; queue != null; queue = queue.parent()) {
                boolean exceeds = queue.max(type) != Long.MAX_VALUE
                        && queue.allocated(type) + group.demand(type) - removed(without, queue, type) > queue.max(type);
                if (group.demand(type) > 0 && exceeds) {
                    return false;
                }
            }
        }
        return true;
    }

    private static long removed(List<Task> tasks, Queue queue, int type) {
        return tasks.stream()
                .filter(task -> contains(queue, task.application().queue()))
                .mapToLong(task -> task.demand(type))
                .sum();
    }

    private static boolean contains(Queue queue, Queue leaf) {
        Queue each = leaf;
        while (each != null && each != queue) {
            each = each.parent();
        }
        return each != null;
    }
}
