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

    /** The first version of a checkpoint, which is still read. */
    static final int CHECKPOINT_VERSION_MIN = 1;

    /** The version of the checkpoints that are written: another one whenever a part comes, goes or means something else. */
    private static final int CHECKPOINT_VERSION = 2;

    /** The last part of a checkpoint: whoever reads it has gone through all the others. */
    private static final String CHECKPOINT_END = "end";

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

    /**
     * Writes a checkpoint: all that is known, so that {@link #readFrom} makes the same state of it, to which the same events can be
     * applied and from which the same is decided.
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
     * The state of which a checkpoint was written.
     *
     * @throws IllegalStateException if it is of a version that is not known here, or damaged
     */
    public static SchedulerState readFrom(StateSource source) {
        long version = source.number();
        if (version < CHECKPOINT_VERSION_MIN || version > CHECKPOINT_VERSION) {
            throw new IllegalStateException(
                    "the checkpoint of the state is of version " + version + ", but this release of "
                            + "Sluice reads versions " + CHECKPOINT_VERSION_MIN + " to " + CHECKPOINT_VERSION
                            + ": start the release that wrote it, or a later one");
        }
        SchedulerState state = new SchedulerState();
        try {
            for (long left = source.number(); left > 0; left--) {
                Partition partition = Partition.readFrom(source, version);
                if (state.partitions.putIfAbsent(partition.name(), partition) != null) {
                    throw PartitionCheckpointReader.corrupt("there are two partitions " + partition.name());
                }
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            // what was read is not what the part in question can be
            IllegalStateException damaged = PartitionCheckpointReader.corrupt(String.valueOf(e.getMessage()));
            damaged.initCause(e);
            throw damaged;
        }
        String end = source.text();
        if (!end.equals(CHECKPOINT_END)) {
            throw PartitionCheckpointReader.corrupt("'" + end + "' stands where it should end");
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
