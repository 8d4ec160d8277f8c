package dev.sluice.config.snapshot;

import dev.sluice.config.snapshot.RunningTaskPlacement.AllocatedTask;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationProgress.Part;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.StateRestorer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Creates a scheduler with the state of a snapshot.
 *
 * <p>Partitions, nodes and applications are added by commands, so they are validated as usual. What no command can
 * express (how far applications have come) is then built into the state by a {@link StateRestorer}. What the snapshot
 * does not say is assumed, see {@link SnapshotAssumptions}.
 */
public final class SnapshotLoader {

    private final Snapshot snapshot;
    private final SnapshotAssumptions assumptions;
    private final Scheduler scheduler = new Scheduler();

    private record QueueRef(String partition, String path) {}

    private SnapshotLoader(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.assumptions = new SnapshotAssumptions(snapshot);
    }

    /**
     * Returns the scheduler of this snapshot. Applications that no queue accepts are in state Rejected.
     *
     * @throws SnapshotException if the scheduler rejects a part of the snapshot
     */
    public static Scheduler load(Snapshot snapshot) {
        SnapshotLoader loader = new SnapshotLoader(snapshot);
        loader.configure();
        loader.registerNodes();
        loader.createQueues();
        loader.submit();
        loader.setQuotas();
        loader.restoreApplications();
        loader.restoreQueues();
        return loader.scheduler;
    }

    private void configure() {
        List<PartitionConfiguration> partitions =
                snapshot.partitions().isEmpty() ? List.of(PartitionConfiguration.simplest()) : snapshot.partitions();
        handle(new Command.ApplyConfiguration(partitions), snapshot.at());
        partitions.forEach(each -> handle(new Command.SetSeed(each.name(), snapshot.seed()), snapshot.at()));
        for (PartitionEntry entry : snapshot.settings()) {
            if (entry.seed() != null) {
                handle(new Command.SetSeed(entry.partition(), entry.seed()), snapshot.at());
            }
            if (entry.throttle() != null) {
                handle(new Command.SetThrottle(entry.partition(), entry.throttle()), snapshot.at());
            }
        }
    }

    private void registerNodes() {
        for (NodeEntry node : snapshot.nodes()) {
            Instant since = node.since() == null ? snapshot.at() : node.since();
            for (int i = 0; i < node.size(); i++) {
                for (Command command : node.commands(i)) {
                    handle(command, since);
                }
            }
        }
    }

    /**
     * Creates the queues that placement rules may have created and that contain applications: first those listed, since
     * the list has them in the order of their creation.
     */
    private void createQueues() {
        Set<QueueRef> used = new LinkedHashSet<>();
        for (ApplicationEntry entry : snapshot.applications()) {
            if (entry.queue() != null && entry.state() != null) {
                used.add(new QueueRef(entry.partition(), entry.queue()));
            }
        }
        Set<QueueRef> queues = new LinkedHashSet<>();
        snapshot.queues().forEach(entry -> queues.add(new QueueRef(entry.partition(), entry.path())));
        queues.retainAll(used);
        queues.addAll(used);
        for (QueueRef queue : queues) {
            Partition partition = scheduler.state().partition(queue.partition());
            if (partition != null
                    && new KnownPartition(partition.configuration()).createsQueues()
                    && QueuePlacement.canCreate(queue.path(), partition)) {
                restorer(partition.name()).createQueue(queue.path(), snapshot.at());
            }
        }
    }

    private void submit() {
        for (ApplicationEntry entry : snapshot.applications()) {
            if (entry.state() != ApplicationState.EXPIRED) {
                handle(new Command.AdoptApplication(entry.partition(), asAdopted(entry)), entry.submitted());
            }
        }
    }

    /**
     * Returns the specification to submit. One without tasks is sealed afterwards, since submissions that are sealed
     * and empty are rejected.
     */
    private static ApplicationSpec asAdopted(ApplicationEntry entry) {
        boolean empty = entry.sealed() && entry.tasks().isEmpty() && entry.state() != null;
        return empty ? entry.spec().withSealed(false) : entry.spec();
    }

    private void restoreApplications() {
        IdentityHashMap<ApplicationEntry, IdentityHashMap<TaskEntry, List<Part>>> allocated = new IdentityHashMap<>();
        Map<String, Long> sequences = new HashMap<>();
        for (AllocatedTask task : assumptions.inOrderOfAllocation(RunningTaskPlacement.of(snapshot))) {
            if (isAccepted(task.application())) {
                long next = sequences.merge(task.application().partition(), 1L, Long::sum);
                allocated
                        .computeIfAbsent(task.application(), key -> new IdentityHashMap<>())
                        .computeIfAbsent(task.entry(), key -> new ArrayList<>())
                        .add(assumptions.allocated(task, next - 1));
            }
        }
        Map<String, Long> placements = new HashMap<>();
        for (ApplicationEntry entry : snapshot.applications()) {
            if (isAccepted(entry)) {
                placements.merge(entry.partition(), SnapshotAssumptions.allocations(entry), Long::sum);
                restorer(entry.partition())
                        .restore(
                                entry.id(),
                                assumptions.progress(entry, allocated.getOrDefault(entry, new IdentityHashMap<>())));
            }
        }
        for (Partition partition : scheduler.state().partitions()) {
            restorer(partition.name()).finish(placements.getOrDefault(partition.name(), 0L));
        }
    }

    /** Sets the quotas of queues that placement rules created, which contain applications. */
    private void setQuotas() {
        for (QueueEntry entry : snapshot.queues()) {
            QueueEntry.Quotas quotas = entry.quotas();
            Partition partition = scheduler.state().partition(entry.partition());
            Queue queue = partition == null ? null : partition.queues().find(entry.path());
            if (quotas != null && queue != null && !queue.applications().isEmpty()) {
                handle(
                        new Command.SetQueueQuotas(
                                entry.partition(),
                                queue.applications().iterator().next().id(),
                                quotas.guaranteed(),
                                quotas.max(),
                                quotas.maxApplications()),
                        snapshot.at());
            }
        }
    }

    /** Restores the past usage of queues, where the configuration uses it. */
    private void restoreQueues() {
        Map<QueueRef, Double> usagePriorities = new HashMap<>();
        for (QueueEntry entry : snapshot.queues()) {
            Double usagePriority = entry.usagePriority();
            if (usagePriority != null) {
                usagePriorities.put(new QueueRef(entry.partition(), entry.path()), usagePriority);
            }
            Partition partition = scheduler.state().partition(entry.partition());
            Queue queue = partition == null ? null : partition.queues().find(entry.path());
            Instant since = entry.overThresholdSince();
            if (since != null && queue != null && queue.rebalances()) {
                restorer(entry.partition()).setOverThreshold(entry.path(), since);
            }
            Instant exceeded = entry.overMaximumSince();
            if (exceeded != null
                    && partition != null
                    && partition.configuration().quotaPreemption()
                    && queue != null
                    && queue.isMaximumEnforced()
                    && queue.exceedsMaximum()) {
                restorer(entry.partition()).setOverMaximum(entry.path(), exceeded);
            }
        }
        for (Partition partition : scheduler.state().partitions()) {
            for (Queue queue : partition.queues().all()) {
                if (queue.usage() != null) {
                    double priority = usagePriorities.getOrDefault(
                            new QueueRef(partition.name(), queue.path()), SnapshotAssumptions.USAGE_PRIORITY);
                    handle(new Command.SetUsagePriority(partition.name(), queue.path(), priority), snapshot.at());
                }
            }
        }
    }

    private boolean isAccepted(ApplicationEntry entry) {
        Partition partition = scheduler.state().partition(entry.partition());
        Application application = partition == null ? null : partition.application(entry.id());
        return application != null && application.state() != ApplicationState.REJECTED;
    }

    private StateRestorer restorer(String partition) {
        return new StateRestorer(scheduler.state(), partition);
    }

    private void handle(Command command, Instant now) {
        CommandResult reply = scheduler.handle(command, now);
        if (reply.refusal() != null) {
            throw new SnapshotException(reply.refusal().message());
        }
    }
}
