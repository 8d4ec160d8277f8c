package dev.sluice.config.snapshot;

import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies a partition: its nodes, then its applications, both of which it keeps up to date, and then its queues. Queues
 * change without events of their own, so they are copied again if any event occurred in the partition since the first
 * of them was copied.
 */
@SuppressWarnings("CollectionIncompatibleType") // builders are compared by identity
final class PartitionSnapshotBuilder {

    private final Partition partition;
    private final Map<Node, NodeEntry> nodes = new HashMap<>();
    private final List<Node> nodesToCopy;
    private int nextNode;
    private final Map<String, ApplicationSnapshotBuilder> applications = new HashMap<>();
    private final Map<String, ApplicationSnapshotBuilder> incomplete = new LinkedHashMap<>();
    private @Nullable Application position;
    private List<Queue> queues = List.of();
    private final List<QueueCopy> queueCopies = new ArrayList<>();
    private int nextQueue;
    private boolean queuesStale = true;

    /**
     * The copy of a queue.
     *
     * @param usage its usage priority at any later instant before the next event; null if it has none
     */
    private record QueueCopy(
            String path,
            Usage.@Nullable Decay usage,
            @Nullable Instant overThresholdSince,
            @Nullable Instant overMaximumSince,
            QueueEntry.@Nullable Quotas quotas) {}

    PartitionSnapshotBuilder(Partition partition) {
        this.partition = partition;
        this.nodesToCopy = new ArrayList<>(partition.nodes());
    }

    /** Returns whether this copies the same partition object, not another one with its name. */
    boolean isOf(@Nullable Partition other) {
        return partition == other;
    }

    String name() {
        return partition.name();
    }

    /** Copies more within the budget; returns whether the copy is complete and up to date. */
    boolean step(StepBudget budget) {
        while (nextNode < nodesToCopy.size()) {
            if (!budget.take()) {
                return false;
            }
            copy(nodesToCopy.get(nextNode++));
        }
        while (!areApplicationsComplete()) {
            if (!copyNextApplication(budget)) {
                return false;
            }
        }
        return copyQueues(budget);
    }

    /** Returns whether the copy is complete and up to date. */
    boolean isComplete() {
        return nextNode == nodesToCopy.size()
                && areApplicationsComplete()
                && !queuesStale
                && nextQueue == queues.size();
    }

    private boolean areApplicationsComplete() {
        return incomplete.isEmpty() && partition.nextApplication(position) == null;
    }

    private boolean copyNextApplication(StepBudget budget) {
        if (!incomplete.isEmpty()) {
            ApplicationSnapshotBuilder begun = incomplete.values().iterator().next();
            return begun.step(budget) && incomplete.remove(begun.id(), begun);
        }
        if (!budget.take()) {
            return false;
        }
        Application application = partition.nextApplication(position);
        if (application != null) {
            position = application;
            if (application.state().isEnded()) {
                applications.remove(application.id());
            } else {
                ApplicationSnapshotBuilder builder = new ApplicationSnapshotBuilder(application);
                applications.put(application.id(), builder);
                incomplete.put(builder.id(), builder);
            }
        }
        return true;
    }

    private boolean copyQueues(StepBudget budget) {
        if (queuesStale) {
            queuesStale = false;
            queues = partition.queues().all();
            queueCopies.clear();
            nextQueue = 0;
        }
        while (nextQueue < queues.size()) {
            if (!budget.take()) {
                return false;
            }
            copy(queues.get(nextQueue++));
        }
        return true;
    }

    private void copy(Queue queue) {
        Usage.Decay usage = queue.usage() == null ? null : partition.usage().decay(queue);
        Instant over = queue.overThresholdSince();
        Instant exceeded = queue.overMaximumSince();
        // queues created by a placement rule are listed to keep their order, which is not in the configuration
        if (usage != null || over != null || exceeded != null || (queue.isDynamic() && queue.isLeaf())) {
            queueCopies.add(new QueueCopy(queue.path(), usage, over, exceeded, quotas(queue)));
        }
    }

    /** Returns the quotas of a queue that was created if they are not those of its template now. */
    private QueueEntry.@Nullable Quotas quotas(Queue queue) {
        QueueConfiguration own = queue.configuration();
        return !queue.isDynamic() || own.hasQuotasOf(partition.queues().templateOf(queue))
                ? null
                : new QueueEntry.Quotas(own.guaranteed(), own.max(), own.maxApplications());
    }

    /** Copies what an event has changed; the state may already contain changes of later events. */
    void onEvent(Event event) {
        queuesStale = true;
        if (event instanceof NodeEvent changed) {
            Node node = partition.node(changed.node());
            if (node != null) {
                copy(node);
            }
        } else if (event instanceof TaskEvent task) {
            ApplicationSnapshotBuilder builder = builder(task.application());
            if (builder != null) {
                builder.onEvent(task);
            }
        } else if (event instanceof ApplicationEvent.Retried retried) {
            copyAgain(retried.application());
        } else if (event instanceof ApplicationEvent changed) {
            ApplicationSnapshotBuilder builder = builder(changed.application());
            if (builder != null) {
                builder.onEvent(changed);
                if (!builder.isComplete()) {
                    incomplete.put(builder.id(), builder);
                }
            }
        }
    }

    /** Copies an application that had ended, unless the copy has yet to reach it. */
    private void copyAgain(String id) {
        Application application = partition.application(id);
        if (application != null
                && position != null
                && application.sequence() <= position.sequence()
                && !application.state().isEnded()) {
            ApplicationSnapshotBuilder builder = new ApplicationSnapshotBuilder(application);
            applications.put(id, builder);
            incomplete.put(id, builder);
        }
    }

    /**
     * Returns the copy of this application, or null; drops the copy of an application that has ended or was removed.
     */
    private @Nullable ApplicationSnapshotBuilder builder(String id) {
        ApplicationSnapshotBuilder builder = applications.get(id);
        Application application = builder == null ? null : partition.application(id);
        if (builder != null
                && (application == null
                        || !builder.isOf(application)
                        || application.state().isEnded())) {
            applications.remove(id);
            incomplete.remove(id);
            return null;
        }
        return builder;
    }

    private void copy(Node node) {
        Instant flaky = node.health() == NodeHealth.FLAKY ? node.flakySince() : null;
        nodes.put(
                node,
                new NodeEntry(
                        node.name(),
                        TaskSpec.SINGLE,
                        partition.name(),
                        node.capacity(),
                        node.labels(),
                        node.taints(),
                        node.health(),
                        node.isOffline(),
                        flaky == null ? node.healthSince() : flaky));
    }

    /** Returns the copy, which does not change after this builder gets no more events. */
    Copy finish() {
        return new Copy(
                partition.name(),
                partition.configuration(),
                partition.seed(),
                partition.throttle(),
                partition.isWithoutCores(),
                new ArrayList<>(partition.nodes()),
                nodes,
                applications,
                queueCopies);
    }

    /**
     * The copy of a partition, for any thread.
     *
     * @param order the nodes in the order of registration; they are keys only: their state may change meanwhile
     */
    record Copy(
            String name,
            PartitionConfiguration configuration,
            long seed,
            int throttle,
            boolean withoutCores,
            List<Node> order,
            Map<Node, NodeEntry> nodes,
            Map<String, ApplicationSnapshotBuilder> applications,
            List<QueueCopy> queues) {

        /** Returns the settings that differ from those of a new partition with this seed, or null. */
        @Nullable PartitionEntry settings(long commonSeed) {
            boolean throttled = throttle != Partition.UNTHROTTLED;
            boolean ownSeed = seed != commonSeed;
            return throttled || ownSeed
                    ? new PartitionEntry(name, ownSeed ? seed : null, throttled ? throttle : null)
                    : null;
        }

        /** Adds the nodes in the order of registration, required nodes that do not exist, and the applications. */
        void addTo(List<NodeEntry> nodeEntries, List<ApplicationEntry> applicationEntries) {
            Set<String> known = new HashSet<>();
            for (Node node : order) {
                NodeEntry entry = nodes.get(node);
                if (entry == null) {
                    throw new IllegalStateException("a node of partition " + name + " was registered without an event");
                }
                known.add(entry.name());
                nodeEntries.add(entry);
            }
            List<ApplicationSnapshotBuilder> builders = new ArrayList<>(applications.values());
            builders.sort(Comparator.comparingLong(ApplicationSnapshotBuilder::sequence));
            Set<String> missing = new LinkedHashSet<>();
            for (ApplicationSnapshotBuilder builder : builders) {
                ApplicationEntry entry = builder.entry(name, withoutCores);
                applicationEntries.add(entry);
                for (TaskEntry task : entry.tasks()) {
                    String required = task.spec().requiredNode();
                    if (required != null && !known.contains(required)) {
                        missing.add(required);
                    }
                }
            }
            missing.forEach(required -> nodeEntries.add(missing(required)));
        }

        private NodeEntry missing(String required) {
            return new NodeEntry(
                    required,
                    TaskSpec.SINGLE,
                    name,
                    Resources.NONE,
                    Collections.emptySortedMap(),
                    List.of(),
                    NodeHealth.READY,
                    true,
                    null);
        }

        /** Adds the queues as of this instant. */
        void addQueuesTo(List<QueueEntry> entries, Instant at) {
            for (QueueCopy queue : queues) {
                Usage.Decay usage = queue.usage();
                entries.add(new QueueEntry(
                        name,
                        queue.path(),
                        usage == null ? null : usage.priorityAt(at),
                        queue.overThresholdSince(),
                        queue.overMaximumSince(),
                        queue.quotas()));
            }
        }
    }
}
