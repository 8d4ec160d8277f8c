package dev.sluice.core.reference;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.DelayedTask;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is due at the start of a cycle, ordered by (due time; nodes, queues, then applications; task), an application's
 * own timers before those of its tasks.
 *
 * <p>Removal of lost nodes is not included: {@link RandomCluster} compares it with a removal by command.
 */
final class ReferenceExpiry {

    private final Partition partition;
    private final Map<String, ReferenceApplication> applications;
    private final Map<String, ReferenceNode> nodes;
    private final ReferenceQueue root;
    private final List<String> steps;

    ReferenceExpiry(
            Partition partition,
            Map<String, ReferenceApplication> applications,
            Map<String, ReferenceNode> nodes,
            ReferenceQueue root,
            List<String> steps) {
        this.partition = partition;
        this.applications = applications;
        this.nodes = nodes;
        this.root = root;
        this.steps = steps;
    }

    private record Due(
            Instant at,
            @Nullable Node node,
            @Nullable Queue queue,
            @Nullable Application application,
            @Nullable Task task,
            @Nullable DelayedTask delayed,
            @Nullable GangProgress gang) {

        Due(
                Instant at,
                @Nullable Node node,
                @Nullable Queue queue,
                @Nullable Application application,
                @Nullable Task task) {
            this(at, node, queue, application, task, null, null);
        }

        /** Delayed tasks come after those on nodes, in the order of their groups. */
        private long sequence() {
            return task != null ? task.sequence() : delayed != null ? Long.MAX_VALUE : gang != null ? -2 : -1;
        }

        private int group() {
            return delayed == null ? -1 : delayed.group().index();
        }

        private int taskIndex() {
            return delayed == null ? -1 : delayed.index();
        }

        /** Nodes come before queues, and queues before applications. */
        private int rank() {
            return node != null ? 0 : queue != null ? 1 : 2;
        }

        private int index() {
            return node != null
                    ? node.index()
                    : queue != null
                            ? queue.index()
                            : Objects.requireNonNull(application).index();
        }
    }

    void expire(Instant now) {
        List<Due> dues = new ArrayList<>();
        for (Node node : partition.nodes()) {
            if (ReferenceNode.isQuarantineOver(node, now)) {
                dues.add(new Due(ReferenceNode.quarantineUntil(node), node, null, null, null));
            }
        }
        for (Queue queue : partition.queues().all()) {
            Instant since = queue.overThresholdSince();
            if (since != null && !queue.isRebalanceDue()) {
                Duration least = queue.configuration().properties().load().rebalanceMinimumDuration();
                dues.add(new Due(since.plus(least), null, queue, null, null));
            }
        }
        for (Application application : partition.applications()) {
            Duration stay = stateTimeout(application.state());
            if (stay != null) {
                dues.add(new Due(application.stateSince().plus(stay), null, null, application, null));
            }
            Instant pendingSince = application.pendingSince();
            ReferenceApplication plain = applications.get(application.id());
            if (pendingSince != null
                    && plain != null
                    && plain.isGangWaiting()
                    && application.state() == ApplicationState.ACCEPTED) {
                Duration timeout =
                        Objects.requireNonNull(application.spec().gang()).timeout();
                Instant accepted = application.stateSince();
                Instant waits = accepted.isAfter(pendingSince) ? accepted : pendingSince;
                dues.add(new Due(waits.plus(timeout), null, null, application, null, null, application.gang()));
            }
            Instant notBefore = application.notBefore();
            if (notBefore != null && isYetToStart(application)) {
                dues.add(new Due(notBefore, null, null, application, null));
            }
            for (TaskGroup group : application.groups()) {
                for (DelayedTask delayed : group.delayed()) {
                    dues.add(new Due(delayed.retryAt(), null, null, application, null, delayed, null));
                }
                for (Task task : group.placed()) {
                    Duration timeout = task.timeout();
                    Instant started = task.startedAt();
                    if (timeout != null && started != null && task.state() == TaskState.RUNNING) {
                        Instant end = started.plus(task.suspendedTime(now)).plus(timeout);
                        dues.add(new Due(end, null, null, application, task));
                    }
                }
            }
        }
        dues.stream()
                .filter(due -> !due.at().isAfter(now))
                .sorted(Comparator.comparing(Due::at)
                        .thenComparing(Due::rank)
                        .thenComparing(Due::index)
                        .thenComparing(Due::sequence)
                        .thenComparing(Due::group)
                        .thenComparing(Due::taskIndex))
                .forEach(due -> {
                    evictBefore(due, now);
                    expire(due);
                });
        evictBefore(null, now);
    }

    /** Stops the tasks that must leave nodes before something else is due; null: all others. */
    private void evictBefore(@Nullable Due due, Instant now) {
        Optional<ReferenceNode> next = nodes.values().stream()
                .filter(node -> isEvictionBefore(node, due, now))
                .min(Comparator.comparing((ReferenceNode node) -> node.leaving().firstKey())
                        .thenComparing(node -> node.index));
        if (next.isEmpty()) {
            return;
        }
        List<ReferenceAllocation> leaving =
                ReferenceAllocation.inOrderOfPlacement(next.get().leaving().headMap(now.plusNanos(1)).values().stream()
                        .flatMap(List::stream)
                        .toList());
        for (ReferenceAllocation task : leaving) {
            steps.add(ReferenceCycle.stop(task.application.id, task.spec.name(), task.index, "taint"));
            task.state = TaskState.STOPPING;
        }
        evictBefore(due, now);
    }

    /** A node's health comes before what must leave it, and that before queues and applications. */
    private static boolean isEvictionBefore(ReferenceNode node, @Nullable Due due, Instant now) {
        Instant at = node.leaving().isEmpty() ? Instant.MAX : node.leaving().firstKey();
        if (at.isAfter(now) || due == null) {
            return !at.isAfter(now);
        }
        boolean beforeSameTime = due.rank() > 0 || node.index < due.index();
        return at.isBefore(due.at()) || (at.equals(due.at()) && beforeSameTime);
    }

    private static boolean isYetToStart(Application application) {
        return application.state() == ApplicationState.NEW || application.state() == ApplicationState.ACCEPTED;
    }

    private static @Nullable Duration stateTimeout(ApplicationState state) {
        return switch (state) {
            case STARTING -> Duration.ofMinutes(5);
            case COMPLETING -> Duration.ofSeconds(30);
            case REJECTED, COMPLETED, FAILED -> Duration.ofDays(3);
            default -> null;
        };
    }

    private void expire(Due due) {
        Node node = due.node();
        if (node != null) {
            steps.add(ReferenceCycle.change(node.name(), NodeHealth.FLAKY, NodeHealth.READY));
            ReferenceCycleOpening.release(Objects.requireNonNull(nodes.get(node.name())), steps);
            return;
        }
        Queue outOfBalance = due.queue();
        if (outOfBalance != null) {
            root.queues()
                    .filter(queue -> queue.path.equals(outOfBalance.path()))
                    .forEach(this::rebalanceDue);
            return;
        }
        Application expired = Objects.requireNonNull(due.application());
        ReferenceApplication application = applications.get(expired.id());
        if (application != null && application.hasEnded()) {
            return;
        }
        Task task = due.task();
        if (task != null) {
            Objects.requireNonNull(applications.get(expired.id())).standing.stream()
                    .filter(standing -> standing.groupIndex == task.group().index() && standing.index == task.index())
                    .filter(standing -> standing.state != TaskState.STOPPING)
                    .forEach(standing -> {
                        steps.add(ReferenceCycle.stop(
                                expired.id(), task.group().spec().name(), task.index(), "timeout"));
                        standing.state = TaskState.STOPPING;
                    });
            return;
        }
        DelayedTask delayed = due.delayed();
        if (delayed != null) {
            String name = delayed.group().spec().name();
            steps.add(ReferenceCycle.retryDue(expired.id() + "/" + name + "[" + delayed.index() + "]"));
            Objects.requireNonNull(applications.get(expired.id()))
                    .retryDue(delayed.group().index(), delayed.index());
            return;
        }
        if (due.gang() != null) {
            gangTimedOut(expired, Objects.requireNonNull(applications.get(expired.id())));
            return;
        }
        if (isYetToStart(expired)) {
            steps.add(ReferenceCycle.startTimeReached(expired.id()));
            Objects.requireNonNull(applications.get(expired.id())).startTimeReached();
            return;
        }
        ApplicationState from = expired.state();
        ApplicationState to = switch (from) {
            case STARTING -> ApplicationState.RUNNING;
            case COMPLETING -> ApplicationState.COMPLETED;
            default -> ApplicationState.EXPIRED;
        };
        steps.add(ReferenceCycle.change(expired.id(), from, to));
        if (application != null) {
            application.state = to;
        }
        if (application != null && to == ApplicationState.COMPLETED) {
            ReferenceQueue leaf = root.queues()
                    .filter(queue -> queue.applications.remove(application))
                    .findFirst()
                    .orElseThrow();
            removeEmpty(leaf);
        }
    }

    private void gangTimedOut(Application expired, ReferenceApplication application) {
        steps.add(ReferenceCycle.gangTimedOut(application.id));
        application.gangTimedOut();
        if (application.hasHardGang()) {
            Deque<Application> failed = new ArrayDeque<>();
            fail(expired, application, failed);
            while (!failed.isEmpty()) {
                notifyAwaiting(failed.remove(), failed);
            }
        }
    }

    /** An application without allocated tasks fails. */
    private void fail(Application failing, ReferenceApplication application, Deque<Application> failed) {
        steps.add(ReferenceCycle.change(application.id, application.state, ApplicationState.FAILING));
        failing.groups().stream()
                .filter(group -> group.unallocated() > 0)
                .forEach(group -> steps.add(ReferenceCycle.drop(application.id, group.name())));
        steps.add(ReferenceCycle.change(application.id, ApplicationState.FAILING, ApplicationState.FAILED));
        application.fail();
        root.queues()
                .filter(queue -> queue.applications.remove(application))
                .findFirst()
                .ifPresent(this::removeEmpty);
        failed.add(failing);
    }

    /** The applications that depend on a failed one, ended ones too, no longer wait for it; or they fail, too. */
    private void notifyAwaiting(Application awaited, Deque<Application> failed) {
        for (Application dependent : partition.awaiting(awaited)) {
            ReferenceApplication application = applications.get(dependent.id());
            steps.add(ReferenceCycle.dependencyEnded(dependent.id(), awaited.id()));
            if (application == null) {
                continue;
            }
            ApplicationCondition condition = application.awaitNoLonger(awaited.id());
            if (condition != null && !condition.isMetBy(ApplicationState.FAILED) && !application.hasEnded()) {
                fail(dependent, application, failed);
            }
        }
    }

    private void rebalanceDue(ReferenceQueue queue) {
        steps.add(ReferenceCycle.due(queue.path));
        queue.rebalanceDue = true;
    }

    private void removeEmpty(ReferenceQueue leaf) {
        for (ReferenceQueue queue : leaf.upToRoot()) {
            ReferenceQueue parent = queue.parent;
            if (parent == null || queue.kept || !queue.children.isEmpty() || !queue.applications.isEmpty()) {
                return;
            }
            parent.children.remove(queue);
            steps.add(ReferenceCycle.remove(queue.path));
        }
    }
}
