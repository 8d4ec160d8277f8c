package dev.sluice.core.state;

import dev.sluice.core.configuration.PartitionConfiguration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The whole state of the scheduler: the fold of all events.
 *
 * <p>Only {@link #apply} changes it, once a {@link #readFrom checkpoint} was read or a {@link StateRestorer} has built it.
 * It must be used by one thread.
 */
public final class SchedulerState {

    /** The oldest checkpoint version that can be read. */
    static final int CHECKPOINT_VERSION_MIN = 1;

    /**
     * The checkpoint version that is written. Must be increased whenever a release adds or removes a part or changes
     * its meaning.
     */
    public static final int CHECKPOINT_VERSION = 4;

    /** The last part of a checkpoint, which shows that the reader has consumed all other parts. */
    private static final String CHECKPOINT_END = "end";

    private final Map<String, Partition> partitions = new LinkedHashMap<>();

    /** The partition of the last lookup, cached because consecutive events are mostly about the same partition. */
    private @Nullable Partition latest;

    /** Creates an empty state. */
    public SchedulerState() {}

    /** Applies an event; throws {@link IllegalStateException} if it cannot follow the earlier ones. */
    public void apply(Event event) {
        Partition changed = partition(event.partition());
        if (changed != null) {
            changed.beginEvent(event.at());
        }
        event.apply(this);
    }

    /** Returns the partitions in the order of their creation. */
    public Collection<Partition> partitions() {
        return Collections.unmodifiableCollection(partitions.values());
    }

    /** Returns the partition with this name, or null. */
    public @Nullable Partition partition(String name) {
        if (latest == null || !latest.name().equals(name)) {
            latest = partitions.get(name);
        }
        return latest;
    }

    /**
     * Writes a checkpoint of the whole state. {@link #readFrom} restores an equal state, to which the same events can
     * be applied and which leads to the same decisions.
     */
    public void writeTo(StateSink sink) {
        sink.number(CHECKPOINT_VERSION);
        sink.number(partitions.size());
        for (Partition partition : partitions.values()) {
            partition.writeTo(sink);
        }
        sink.text(CHECKPOINT_END);
    }

    /**
     * Reads a checkpoint.
     *
     * @throws IllegalStateException if the checkpoint is damaged or its version is not supported
     */
    public static SchedulerState readFrom(StateSource source) {
        long version = source.number();
        if (version < CHECKPOINT_VERSION_MIN || version > CHECKPOINT_VERSION) {
            throw new IllegalStateException(
                    "the checkpoint of the state has version " + version + ", but this release of "
                            + "Sluice supports versions " + CHECKPOINT_VERSION_MIN + " to " + CHECKPOINT_VERSION
                            + ": start the release that wrote it, or a later one");
        }
        SchedulerState state = new SchedulerState();
        try {
            for (long left = source.number(); left > 0; left--) {
                Partition partition = Partition.readFrom(source, version);
                if (state.partitions.putIfAbsent(partition.name(), partition) != null) {
                    throw PartitionCheckpointReader.corrupt("duplicate partition " + partition.name());
                }
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            // the values that were read are invalid for the part they belong to
            IllegalStateException damaged = PartitionCheckpointReader.corrupt(String.valueOf(e.getMessage()));
            damaged.initCause(e);
            throw damaged;
        }
        String end = source.text();
        if (!end.equals(CHECKPOINT_END)) {
            throw PartitionCheckpointReader.corrupt("found '" + end + "' instead of the end");
        }
        return state;
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
            throw new IllegalStateException("partition " + name + " not found");
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
