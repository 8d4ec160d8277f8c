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

    /** The first version of an image, which is still read. */
    static final int IMAGE_VERSION_MIN = 1;

    /** The version of the images that are written: another one whenever a part comes, goes or means something else. */
    private static final int IMAGE_VERSION = 2;

    /** The last part of an image: whoever reads it has gone through all the others. */
    private static final String IMAGE_END = "end";

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
     * Writes an image: all that is known, so that {@link #readFrom} makes the same state of it, to which the same events can be
     * applied and from which the same is decided.
     */
    public void writeTo(StateSink sink) {
        sink.number(IMAGE_VERSION);
        sink.number(partitions.size());
        for (Partition partition : partitions.values()) {
            partition.writeTo(sink);
        }
        sink.text(IMAGE_END);
    }

    /**
     * The state of which an image was written.
     *
     * @throws IllegalStateException if it is of a version that is not known here, or damaged
     */
    public static SchedulerState readFrom(StateSource source) {
        long version = source.number();
        if (version < IMAGE_VERSION_MIN || version > IMAGE_VERSION) {
            throw new IllegalStateException("the image of the state is of version " + version + ", but this release of "
                    + "Sluice reads versions " + IMAGE_VERSION_MIN + " to " + IMAGE_VERSION
                    + ": start the release that wrote it, or a later one");
        }
        SchedulerState state = new SchedulerState();
        try {
            for (long left = source.number(); left > 0; left--) {
                Partition partition = Partition.readFrom(source, version);
                if (state.partitions.putIfAbsent(partition.name(), partition) != null) {
                    throw ImageReader.damaged("there are two partitions " + partition.name());
                }
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
            // what was read is not what the part in question can be
            IllegalStateException damaged = ImageReader.damaged(String.valueOf(e.getMessage()));
            damaged.initCause(e);
            throw damaged;
        }
        String end = source.text();
        if (!end.equals(IMAGE_END)) {
            throw ImageReader.damaged("'" + end + "' stands where it should end");
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
