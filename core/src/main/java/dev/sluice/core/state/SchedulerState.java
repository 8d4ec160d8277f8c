package dev.sluice.core.state;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that the scheduler knows: the fold of the events.
 *
 * <p>It is changed by {@link #apply} alone, and belongs to one thread.
 */
public final class SchedulerState {

    private final Map<String, Partition> partitions = new LinkedHashMap<>();

    /** The one that was asked for last: most events are about the same partition as the one before. */
    private @Nullable Partition latest;

    /** Applies one event; throws {@link IllegalStateException} if it cannot follow those before. */
    public void apply(Event event) {
        event.apply(this);
    }

    /** The partitions, in the order of their making. */
    public Collection<Partition> partitions() {
        return Collections.unmodifiableCollection(partitions.values());
    }

    /** The partition of this name, or null. */
    public @Nullable Partition partition(String name) {
        if (latest == null || !latest.name().equals(name)) {
            latest = partitions.get(name);
        }
        return latest;
    }

    void configure(PartitionConfiguration configuration, Instant at) {
        Partition partition = partitions.get(configuration.name());
        if (partition == null) {
            partitions.put(configuration.name(), new Partition(configuration, at));
        } else {
            partition.configure(configuration, at);
        }
    }

    void remove(String partition) {
        existing(partition);
        partitions.remove(partition);
        latest = null;
    }

    Partition existing(String name) {
        Partition partition = partition(name);
        if (partition == null) {
            throw new IllegalStateException("no partition " + name);
        }
        return partition;
    }

    Application existing(String partition, String id) {
        return existing(partition).existing(id);
    }

    TaskGroup existing(String partition, String application, String tasks) {
        return existing(partition).existing(application, tasks);
    }
}
