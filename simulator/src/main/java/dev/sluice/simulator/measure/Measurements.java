package dev.sluice.simulator.measure;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.UserFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Collects the measurements of one simulation.
 *
 * <p>Memory does not grow with the number of tasks, only with the queues (up to {@link #QUEUES_MAX}), the users (up to
 * {@link #USERS_MAX}), the equivalence classes of live tasks and the nodes.
 */
public final class Measurements {

    /** The maximum number of users with separate figures. */
    static final int USERS_MAX = 10_000;

    /** The maximum number of queues with separate figures; further queues count towards their parent. */
    static final int QUEUES_MAX = 10_000;

    /** The maximum number of distinct reasons. */
    private static final int REASONS_MAX = 1_000;

    private static final Resources ONE_SLOT = Resources.of(ResourceTypes.SLOTS, 1);

    private final SchedulerState state;
    private final String sizeResource;
    private final ResourceTypes types = new ResourceTypes();
    private final TimeSeriesSampler samples;
    private final ClusterTally cluster;
    private final Map<String, PartitionTally> partitions = new LinkedHashMap<>();
    private final SortedMap<String, TaskTally> users = new TreeMap<>();
    private final SortedMap<Integer, SizeTally> sizes = new TreeMap<>();
    private final Map<String, Long> reasons = new TreeMap<>();
    private final TaskTally rejected = new TaskTally();
    private final int sizeType;
    private int queuesKnown;
    private double lostSeconds;
    private final GangTally gangs = new GangTally();

    /** The tallies of the queues and waiting classes of one partition. */
    private static final class PartitionTally {
        private final SortedMap<String, QueueTally> queues = new TreeMap<>();
        private final Map<WaitingClass.FitKey, WaitingClass> waitingClasses = new LinkedHashMap<>();
        private final Map<TaskGroup, WaitingClass> gated = new LinkedHashMap<>();

        private Collection<WaitingClass> waiting() {
            if (gated.isEmpty()) {
                return waitingClasses.values();
            }
            List<WaitingClass> all = new ArrayList<>(waitingClasses.values());
            all.addAll(gated.values());
            return all;
        }
    }

    /**
     * Starts the measurement of a simulation whose nodes exist and in which nothing has been submitted.
     *
     * @param state the state of the engine
     * @param intervalMillis the sampling interval
     * @param capacityScale the factor by which the node capacities exceed the capacities to report; 1 except for the
     *     bound of infinite nodes
     * @param sizeResource the resource that defines task sizes
     */
    public Measurements(SchedulerState state, long intervalMillis, double capacityScale, String sizeResource) {
        this.state = state;
        this.sizeResource = sizeResource;
        this.samples = new TimeSeriesSampler(intervalMillis);
        this.cluster = new ClusterTally(state, samples, types, capacityScale);
        this.sizeType = types.index(sizeResource);
        for (Partition partition : state.partitions()) {
            partition.queues().all().forEach(queue -> queue(partition, queue));
        }
    }

    /** Records that an application was accepted, and returns recorders for the tasks of its groups. */
    public List<TaskGroupRecorder> submitted(Partition partition, Application application) {
        TaskTally queue = queue(partition, application.queue()).tasks;
        TaskTally user = user(application.spec().user());
        queue.applications++;
        user.applications++;
        List<TaskGroupRecorder> recorders = new ArrayList<>(1);
        for (TaskGroup group : application.groups()) {
            recorders.add(new TaskGroupRecorder(queue, user, waitingClass(partition, group)));
        }
        return recorders;
    }

    /** Records that an application was rejected. */
    public void rejected(String user, String reason) {
        rejected.applications++;
        rejected.rejected++;
        user(user).applications++;
        user(user).rejected++;
        reason(reason, 1);
    }

    /** Records that this number of tasks did not start, for this reason. */
    public void reason(String reason, long tasks) {
        if (reasons.size() < REASONS_MAX || reasons.containsKey(reason)) {
            reasons.merge(reason, tasks, Long::sum);
        }
    }

    /** Records a run that held a slot for this many seconds and is restarted from the beginning. */
    public void lost(double seconds) {
        lostSeconds += seconds;
    }

    /** Records that a gang started after it had waited this long. */
    public void gangStarted(double waitedSeconds) {
        gangs.started(waitedSeconds);
    }

    /** Records that a gang did not start within its timeout. */
    public void gangTimedOut() {
        gangs.timedOut();
    }

    /** Removes the recorder of a group whose tasks have ended. */
    public void forget(Partition partition, TaskGroupRecorder recorder) {
        WaitingClass waitingClass = recorder.waitingClass();
        TaskGroup gate = waitingClass.gate();
        if (gate != null) {
            tally(partition).gated.remove(gate);
        } else if (--waitingClass.groups == 0) {
            tally(partition).waitingClasses.remove(waitingClass.key());
        }
    }

    /** Returns the number of equivalence classes of live tasks. */
    public int waitingClasses() {
        return partitions.values().stream()
                .mapToInt(tally -> tally.waitingClasses.size() + tally.gated.size())
                .sum();
    }

    /** Advances the time, during which nothing changes. */
    public void advance(double seconds) {
        cluster.advance(seconds);
    }

    /**
     * Takes samples of the current state of the cluster.
     *
     * @param count the number of samples
     * @param changed whether an event occurred since the last samples
     */
    public void sample(long count, boolean changed) {
        if (changed) {
            observe();
        }
        samples.sample(count);
    }

    private void observe() {
        cluster.beginObservation();
        for (Partition partition : state.partitions()) {
            PartitionTally tally = tally(partition);
            DueShares shares = DueShares.of(partition);
            Loans loans = Loans.of(partition);
            tally.queues.values().forEach(QueueTally::clear);
            for (Queue queue : partition.queues().all()) {
                QueueTally known = queue(partition, queue);
                if (known.isOf(queue)) {
                    known.observe(queue, partition, shares, loans);
                }
            }
            cluster.observe(partition, FreeCapacity.of(partition, tally.waiting()), loans.total());
        }
        cluster.endObservation();
    }

    private PartitionTally tally(Partition partition) {
        return partitions.computeIfAbsent(partition.name(), name -> new PartitionTally());
    }

    /** Returns the tally of this queue; beyond {@link #QUEUES_MAX} queues, the tally of its parent. */
    private QueueTally queue(Partition partition, Queue queue) {
        SortedMap<String, QueueTally> queues = tally(partition).queues;
        QueueTally known = queues.get(queue.path());
        if (known != null) {
            return known;
        }
        Queue parent = queue.parent();
        QueueTally above = parent == null ? null : queue(partition, parent);
        if (above != null && queuesKnown >= QUEUES_MAX) {
            return above;
        }
        String prefix = state.partitions().size() == 1 ? "" : partition.name() + ":";
        QueueTally added = new QueueTally(prefix, queue, above, samples);
        queues.put(queue.path(), added);
        queuesKnown++;
        return added;
    }

    private TaskTally user(String name) {
        TaskTally known = users.get(name);
        if (known == null) {
            String counted = users.size() < USERS_MAX ? name : UserFigures.OTHERS;
            known = users.computeIfAbsent(counted, key -> new TaskTally());
        }
        return known;
    }

    private WaitingClass waitingClass(Partition partition, TaskGroup group) {
        PartitionTally tally = tally(partition);
        WaitingClass.FitKey key = WaitingClass.FitKey.of(group.kind());
        if (group.kind().after().isEmpty()) {
            WaitingClass shared =
                    tally.waitingClasses.computeIfAbsent(key, absent -> waitingClass(absent, partition, group, null));
            shared.groups++;
            return shared;
        }
        return tally.gated.computeIfAbsent(group, gate -> waitingClass(key, partition, group, gate));
    }

    private WaitingClass waitingClass(
            WaitingClass.FitKey key, Partition partition, TaskGroup group, @Nullable TaskGroup gate) {
        long[] amounts = types.vector(key.resources().plus(ONE_SLOT), 0);
        int sizeClass = SizeClass.of(sizeResource, sizeType < amounts.length ? amounts[sizeType] : 0);
        SizeTally size = sizes.computeIfAbsent(sizeClass, each -> new SizeTally());
        return new WaitingClass(key, demand(partition, group), amounts, size, gate);
    }

    private static long[] demand(Partition partition, TaskGroup group) {
        long[] demand = new long[partition.types().size()];
        Arrays.setAll(demand, group::demand);
        return demand;
    }

    /** Returns the figures of the simulation. */
    public RunFigures figures(RunSummary run) {
        return new RunFiguresBuilder(run, types, cluster, queues(), users, sizes, sizeResource)
                .make(rejected, reasons, lostSeconds, gangs.figures());
    }

    private List<QueueTally> queues() {
        List<QueueTally> all = new ArrayList<>();
        partitions.values().forEach(partition -> all.addAll(partition.queues.values()));
        return all;
    }
}
