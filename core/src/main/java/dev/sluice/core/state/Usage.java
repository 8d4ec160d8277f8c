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
 * How much queues use and have used of what there is, in cores.
 *
 * <p>An amount of another resource counts as many cores as the ready nodes have for it: with 10 cores, 20 GB and 5 GPUs, 2 GB are a
 * core and a GPU is two (Armada, "priority calculation"). A resource that no node has counts nothing; where no node has cores, the
 * unit is a worker.
 *
 * <p>The usage priority of a queue below a parent that shares by usage is its decayed usage: after a time Δt under constant
 * usage it is {@code β × before + (1 − β) × usage} with {@code β = 0.5^(Δt ÷ halftime)}. It is brought up to date whenever the
 * usage changes, so it is exact whatever the intervals are.
 */
public final class Usage {

    private final ResourceTypes types;
    private final NodeTotals totals;
    private final int removedQueuesMax;
    private final Set<Queue> counted = new LinkedHashSet<>();
    private final Map<String, Reading> removedQueues = new LinkedHashMap<>();
    private double[] coresPerUnit = {};

    /** The usage priority of a queue as it was at an instant. */
    public record Reading(double priority, Instant at) {}

    /**
     * The usage priority of a queue at any instant from its reading on, as long as nothing happens; immutable.
     *
     * @param cores what the queue uses, in cores
     * @param halftime after which half of what was used before counts; null if the queue has no parent
     */
    public record Decay(
            Reading reading, double cores, @Nullable Duration halftime) {

        /** The usage priority at this instant. */
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

    /** What these amounts come to, in cores. */
    public double of(long[] amounts) {
        double[] factors = factors();
        double cores = 0;
        for (int type = 0; type < amounts.length; type++) {
            cores += amounts[type] * factors[type];
        }
        return cores;
    }

    /** What these amounts come to, in cores, where there are parts of base units. */
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

    /** The usage priority of a queue at an instant, not before that of the last event; 0 for one whose parent does not go by it. */
    public double priority(Queue queue, Instant now) {
        Reading usage = queue.usage();
        return usage == null ? 0 : decayed(usage, queue, of(queue.allocated()), now);
    }

    /** How the usage priority of a queue decays from now on, as long as nothing happens; 0 for one whose parent does not go by it. */
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

    /** The allocation of this queue and those above it is about to change. */
    void updateToRoot(Queue leaf, Instant at) {
        if (!counted.isEmpty()) {
            for (Queue queue = leaf; queue != null; queue = queue.parent()) {
                update(queue, at);
            }
        }
    }

    /** What there is is about to change, or what is configured: all usage until now counts by what it was. */
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

    /** Takes note which queues are below parents that share by usage. */
    void count(QueueTree queues, Instant at) {
        counted.clear();
        queues.all().forEach(queue -> enter(queue, at));
    }

    /** A queue is there, perhaps under another policy than before, or again: what it used before it went away still counts. */
    void enter(Queue queue, Instant at) {
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

    /** A queue goes away, settled until then; it may come back. */
    void leave(Queue queue) {
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

    /** Writes what was used by those that are gone; what a queue of the tree has used is written with it. */
    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(removedQueues.size());
        removedQueues.forEach((path, reading) -> {
            out.sink().text(path);
            out.optional(reading);
        });
    }

    /** Reads what was used by those that are gone, when these queues have been read. */
    void readFrom(PartitionCheckpointReader in, QueueTree queues) {
        for (int left = in.count(); left > 0; left--) {
            String path = in.source().text();
            Reading reading = in.optionalReading();
            if (reading == null) {
                throw PartitionCheckpointReader.corrupt(path + " has used nothing");
            }
            removedQueues.put(path, reading);
        }
        for (Queue queue : queues.all()) {
            if (queue.usage() != null) {
                counted.add(queue);
            }
        }
    }

    /** What queues that went away are remembered with, by path, the earliest first. */
    public Map<String, Reading> removedQueues() {
        return Collections.unmodifiableMap(removedQueues);
    }
}
