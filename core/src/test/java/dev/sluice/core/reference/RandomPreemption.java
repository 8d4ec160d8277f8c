package dev.sluice.core.reference;

import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.PreemptionProperties;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.ReservationProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Random guaranteed resources and preemption settings for random partitions, and tasks that are not preempted.
 *
 * <p>Nothing is reserved, unless {@link RandomReservations} says so: nothing is preempted where only a reservation is in the
 * way, and what has one starts by itself, which makes preemptions rare.
 */
final class RandomPreemption {

    private static final ReservationProperties NONE_RESERVED = new ReservationProperties(null, 0);

    private final RandomSource chance;
    private final RandomSource quotas;
    private final List<String> types;
    private final boolean protects;
    private final boolean lowers;
    private final int fairPercent;
    private final Map<String, Settings> byPath = new HashMap<>();
    private final Map<String, Resources> maxima = new HashMap<>();

    /** The maxima before they were lowered. */
    private final Map<String, Resources> original = new HashMap<>();

    private record Settings(Resources guaranteed, PreemptionProperties properties, boolean fair) {}

    /** Creates preemption settings; this part of the parents shares by fairness, which guarantees require. */
    RandomPreemption(long seed, List<String> types, int fairPercent) {
        this.fairPercent = fairPercent;
        this.chance = new RandomSource(seed);
        this.types = types;
        this.quotas = new RandomSource(seed + 1);
        this.lowers = quotas.percent(40);
        this.protects = chance.percent(40);
    }

    /** Returns the partition with these settings; some queues keep those from the last call. */
    PartitionConfiguration addTo(PartitionConfiguration partition) {
        return partition.withRoot(addTo(partition.root(), "root")).withPreemption(true, quotas.percent(95));
    }

    /** Returns the task, which is sometimes not preemptible and sometimes has another priority. */
    TaskSpec changed(TaskSpec task) {
        TaskSpec changed = chance.percent(50) ? task.withPriority(chance.of(-3, 0, 1, 5)) : task;
        return protects && chance.percent(20) ? changed.withPreemptible(false) : changed;
    }

    private QueueConfiguration addTo(QueueConfiguration queue, String path) {
        if (!byPath.containsKey(path) || chance.percent(25)) {
            byPath.put(path, settings());
        }
        Settings settings = byPath.get(path);
        QueueConfiguration changed = new QueueConfiguration(
                queue.name(),
                queue.parent(),
                path.equals("root") ? Resources.NONE : settings.guaranteed,
                maxima.getOrDefault(path, queue.max()),
                queue.maxApplications(),
                queue.properties().withPreemption(settings.properties),
                "",
                "",
                queue.limits(),
                queue.childTemplate(),
                queue.children());
        if (path.equals("root")) {
            changed = changed.withProperties(changed.properties().withReservation(NONE_RESERVED));
        }
        if (settings.fair) {
            changed = changed.withProperties(changed.properties().withSharePolicy(SharePolicyKind.FAIR));
        }
        return changed.withChildren(queue.children().stream()
                .map(child -> addTo(child, path + "." + child.name()))
                .toList());
    }

    /** Returns whether all allocated tasks start now, and others are submitted. */
    boolean contends() {
        return quotas.percent(20);
    }

    /** Returns one of these reserved tasks. */
    Task of(List<Task> reserved) {
        return quotas.of(reserved);
    }

    /** Returns taints of the node of a reserved task; in most cases one that most tasks do not tolerate. */
    List<Taint> taints() {
        return quotas.percent(70)
                ? List.of(new Taint("maintenance", "a", quotas.of(TaintEffect.NO_SCHEDULE, TaintEffect.NO_EXECUTE)))
                : List.of();
    }

    /** Returns the partition with a lower maximum of a queue that uses something, or with that of before, or null. */
    @Nullable PartitionConfiguration lowered(Partition partition) {
        List<Queue> used = partition.queues().all().stream()
                .filter(queue -> queue.allocatedTasks() > 0 && !queue.isDraining() && !queue.isDynamic())
                .filter(queue -> !queue.configuration()
                        .properties()
                        .preemption()
                        .quotaDelay()
                        .isZero())
                .toList();
        if (!lowers || quotas.percent(60)) {
            return null;
        }
        maxima.clear();
        if (!original.isEmpty() || used.isEmpty()) {
            maxima.putAll(original);
            original.clear();
            return addTo(partition.configuration());
        }
        Queue queue = quotas.of(used);
        SortedMap<String, Amount> max = new TreeMap<>();
        for (int type = 0; type < partition.types().size(); type++) {
            if (queue.allocated(type) > 0 && quotas.percent(60)) {
                max.put(partition.types().name(type), new Amount(queue.allocated(type) * quotas.of(1, 2, 3, 4) / 4));
            }
        }
        original.put(queue.path(), queue.configuration().max());
        maxima.put(queue.path(), Resources.of(max));
        return addTo(partition.configuration());
    }

    private Settings settings() {
        SortedMap<String, Amount> guaranteed = new TreeMap<>();
        for (String type : types) {
            if (chance.percent(40)) {
                guaranteed.put(type, new Amount(RandomTasks.unit(type) * chance.of(1, 2, 4, 8, 16)));
            }
        }
        PreemptionProperties properties = new PreemptionProperties(
                chance.of(
                        PreemptionPolicy.DEFAULT,
                        PreemptionPolicy.DEFAULT,
                        PreemptionPolicy.DEFAULT,
                        PreemptionPolicy.DEFAULT,
                        chance.of(PreemptionPolicy.values())),
                chance.percent(80) ? Duration.ofMillis(chance.of(1, 1, 1_000, 20_000)) : null,
                chance.percent(40) ? (Boolean) chance.percent(70) : null,
                protects && chance.percent(30) ? Duration.ofSeconds(chance.of(0, 1, 30, 90)) : null,
                quotas.percent(60) ? Duration.ofSeconds(quotas.of(1, 1, 20)) : Duration.ZERO);
        return new Settings(Resources.of(guaranteed), properties, chance.percent(fairPercent));
    }
}
