package dev.sluice.core.state;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.ResourceTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The current and past resource usage of queues, in cores.
 *
 * <p>Amounts of other resources are converted to cores in proportion to the capacity of the ready nodes: with 10 cores,
 * 20 GB and 5 GPUs,
 * 2 GB count as one core and a GPU as two (Armada, "priority calculation"). A resource that no node has counts as 0. If
 * no node has cores, the unit is a worker.
 *
 * <p>The usage priority of a queue below a {@code usage} parent is its exponentially decayed usage: after a time Δt of
 * constant usage it is {@code β × before + (1 − β) × usage} with {@code β = 0.5^(Δt ÷ halftime)}. It is updated
 * whenever the usage changes, so it is exact for any intervals.
 */
public final class Usage {

    private final ResourceTypes types;
    private final NodeTotals totals;
    private final int removedQueuesMax;
    private final Set<Queue> counted = new LinkedHashSet<>();
    private final Map<String, Reading> removedQueues = new LinkedHashMap<>();
    private double[] coresPerUnit = {};

    /** The usage priority of a queue at a point in time. */
    public record Reading(double priority, Instant at) {}

    /**
     * The usage priority of a queue at any time from its reading on, as long as its usage does not change; immutable.
     *
     * @param cores the current usage of the queue, in cores
     * @param halftime the half-life of past usage; null if the queue has no parent
     */
    public record Decay(
            Reading reading, double cores, @Nullable Duration halftime) {

        /** Returns the usage priority at this time. */
        public double priorityAt(Instant instant) {
            if (halftime == null || !reading.at.isBefore(instant)) {
                return reading.priority;
            }
            double halftimes = seconds(Duration.between(reading.at, instant)) / seconds(halftime);
            double beta = StrictMath.pow(0.5, halftimes);
            return beta * reading.priority + (1 - beta) * cores;
        }
    }

    Usage(ResourceTypes types, NodeTotals totals, int removedQueuesMax) {
        this.types = types;
        this.totals = totals;
        this.removedQueuesMax = removedQueuesMax;
    }

    /** Converts amounts to cores. */
    public double of(long[] amounts) {
        double[] factors = factors();
        double cores = 0;
        for (int type = 0; type < amounts.length; type++) {
            cores += amounts[type] * factors[type];
        }
        return cores;
    }

    /** Converts amounts to cores, where amounts may be fractions of base units. */
    public double of(double[] amounts) {
        double[] factors = factors();
        double cores = 0;
        for (int type = 0; type < amounts.length; type++) {
            cores += amounts[type] * factors[type];
        }
        return cores;
    }

    private double[] factors() {
        if (coresPerUnit.length < types.size()) {
            coresPerUnit = coresPerUnit();
        }
        return coresPerUnit;
    }

    /**
     * Returns the usage priority of a queue at a time not before that of the last event; 0 if its parent does not share
     * by {@code usage}.
     */
    public double priority(Queue queue, Instant now) {
        Reading usage = queue.usage();
        return usage == null ? 0 : decayed(usage, queue, of(queue.allocated()), now);
    }

    /**
     * Returns how the usage priority of a queue decays as long as its usage does not change; always 0 if its parent
     * does not share by {@code usage}.
     */
    public Decay decay(Queue queue) {
        Reading usage = queue.usage();
        return usage == null
                ? new Decay(new Reading(0, Instant.MAX), 0, null)
                : decay(usage, queue, of(queue.allocated()));
    }

    private double[] coresPerUnit() {
        double[] factors = new double[types.size()];
        long[] total = totals.ready();
        int vcore = types.find(ResourceTypes.VCORE);
        double cores = vcore < 0 ? 0 : Vectors.at(total, vcore) / 1000.0;
        double units = cores > 0 ? cores : totals.workers();
        for (int type = 0; type < factors.length; type++) {
            if (type == vcore) {
                factors[type] = 0.001;
            } else if (type == ResourceTypes.SLOTS_INDEX) {
                factors[type] = cores > 0 || units == 0 ? 0 : 1;
            } else {
                factors[type] = Vectors.at(total, type) == 0 ? 0 : units / Vectors.at(total, type);
            }
        }
        return factors;
    }

    private static double decayed(Reading usage, Queue queue, double cores, Instant now) {
        return decay(usage, queue, cores).priorityAt(now);
    }

    private static Decay decay(Reading usage, Queue queue, double cores) {
        Queue parent = queue.parent();
        return new Decay(
                usage,
                cores,
                parent == null
                        ? null
                        : parent.configuration().properties().usage().halftime());
    }

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }

    /** Updates the usage priorities of this queue and those above, before their allocation changes. */
    void updateToRoot(Queue leaf, Instant at) {
        if (!counted.isEmpty()) {
            for (Queue queue = leaf; queue != null; queue = queue.parent()) {
                update(queue, at);
            }
        }
    }

    /**
     * Updates all usage priorities, before the capacity or the configuration changes: past usage is converted with the
     * capacity of its time.
     */
    void updateAll(Instant at) {
        counted.forEach(queue -> update(queue, at));
        coresPerUnit = new double[0];
    }

    private void update(Queue queue, Instant at) {
        Reading usage = queue.usage();
        if (usage != null && usage.at.isBefore(at)) {
            queue.setUsage(new Reading(decayed(usage, queue, of(queue.allocated()), at), at));
        }
    }

    /** Determines which queues are below {@code usage} parents. */
    void count(QueueTree queues, Instant at) {
        counted.clear();
        queues.all().forEach(queue -> queueAdded(queue, at));
    }

    /**
     * Called when a queue is added, or is configured again, perhaps with another policy. A queue that was removed
     * before continues with its remembered usage priority.
     */
    void queueAdded(Queue queue, Instant at) {
        Queue parent = queue.parent();
        if (parent == null || parent.sharePolicy() != SharePolicyKind.USAGE) {
            queue.setUsage(null);
            return;
        }
        counted.add(queue);
        if (queue.usage() == null) {
            Reading remembered = removedQueues.remove(queue.path());
            queue.setUsage(remembered == null ? new Reading(0, at) : remembered);
            update(queue, at);
        }
    }

    /** Called when a queue is removed: remembers its up-to-date usage priority in case it is added again. */
    void queueRemoved(Queue queue) {
        Reading usage = queue.usage();
        if (usage != null && counted.remove(queue)) {
            removedQueues.put(queue.path(), usage);
            if (removedQueues.size() > removedQueuesMax) {
                removedQueues.remove(removedQueues.keySet().iterator().next());
            }
        }
    }

    void set(Queue queue, double priority, Instant at) {
        queue.setUsage(new Reading(priority, at));
    }

    /** Writes the usage of removed queues; that of present queues is written with the queue. */
    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(removedQueues.size());
        removedQueues.forEach((path, reading) -> {
            out.sink().text(path);
            out.optional(reading);
        });
    }

    /** Reads the usage of removed queues, after the present queues have been read. */
    void readFrom(PartitionCheckpointReader in, QueueTree queues) {
        for (int left = in.count(); left > 0; left--) {
            String path = in.source().text();
            Reading reading = in.optionalReading();
            if (reading == null) {
                throw PartitionCheckpointReader.corrupt("removed queue " + path + " has no usage");
            }
            removedQueues.put(path, reading);
        }
        for (Queue queue : queues.all()) {
            if (queue.usage() != null) {
                counted.add(queue);
            }
        }
    }

    /** Returns the remembered usage of removed queues by path, the earliest removed first. */
    public Map<String, Reading> removedQueues() {
        return Collections.unmodifiableMap(removedQueues);
    }
}
