package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the checkpoint of one partition that a {@link PartitionCheckpointWriter} wrote.
 *
 * <p>Most equal instants and durations become one object, as they were in the state that was written: of a million
 * tasks, many were allocated at the same time.
 */
final class PartitionCheckpointReader {
    /** Names of constants in checkpoints of earlier releases, and their current names. */
    private static final Map<String, String> FORMER_CONSTANTS = Map.of("HELD", "RESERVED", "LEAVING", "PREEMPTING");

    /** The number that represents no queue. */
    static final int NONE = -1;

    private static final int SHARED = 1 << 10;

    private final StateSource source;
    private final long version;
    private final Timers timers;
    private final List<Queue> queues = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final @Nullable Instant[] instants = new Instant[SHARED];
    private final @Nullable Duration[] durations = new Duration[SHARED];

    /**
     * Creates a reader for a checkpoint of this version.
     *
     * @param timers the timers of the partition, to which the reader adds those it reads
     */
    PartitionCheckpointReader(StateSource source, long version, Timers timers) {
        this.source = source;
        this.version = version;
        this.timers = timers;
    }

    /** Returns the exception for a damaged checkpoint. */
    static IllegalStateException corrupt(String what) {
        return new IllegalStateException("the checkpoint of the state is damaged: " + what);
    }

    /**
     * Returns whether the checkpoint is of version 1, which has neither the sequence numbers of applications nor their
     * first allocated tasks.
     */
    boolean isVersion1() {
        return version == SchedulerState.CHECKPOINT_VERSION_MIN;
    }

    /**
     * Returns whether the checkpoint has what versions 1 and 2 lack: what holds, delays, updates, suspends and limits
     * applications and their tasks, what a retry of them needs, and the last numbers of their names.
     */
    boolean hasApplicationControl() {
        return version > 2;
    }

    /** Returns whether the checkpoint has the taints of nodes, which versions 1 to 3 lack. */
    boolean hasTaints() {
        return version > 3;
    }

    /** Returns whether the checkpoint has what versions 1 to 3 lack: gangs. */
    boolean hasGangs() {
        return version > 3;
    }

    /**
     * Returns whether the checkpoint has what versions 1 to 3 lack: since when applications have had pending tasks, and
     * queues have used more than their maxima.
     */
    boolean hasPendingSince() {
        return version > 3;
    }

    /** Returns whether the checkpoint has the reservations of the partition, which versions 1 to 3 lack. */
    boolean hasReservations() {
        return version > 3;
    }

    /**
     * Returns the underlying source, for values that need no decoding. Instants, durations and counts should be read
     * through this reader.
     */
    StateSource source() {
        return source;
    }

    /**
     * Reads a count or an index. The value is untrusted: memory must not be reserved for that many elements, because
     * they may not follow.
     */
    int count() {
        return number(0);
    }

    /** Reads an integer that must be at least {@code min}. */
    int number(int min) {
        long number = source.number();
        if (number < min || number > Integer.MAX_VALUE) {
            throw corrupt("found " + number + " instead of a number of at least " + min);
        }
        return (int) number;
    }

    Instant instant() {
        Instant instant = source.instant();
        int slot = instant.hashCode() & (SHARED - 1);
        Instant shared = instants[slot];
        if (shared != null && shared.equals(instant)) {
            return shared;
        }
        instants[slot] = instant;
        return instant;
    }

    Duration duration() {
        Duration duration = source.duration();
        int slot = duration.hashCode() & (SHARED - 1);
        Duration shared = durations[slot];
        if (shared != null && shared.equals(duration)) {
            return shared;
        }
        durations[slot] = duration;
        return duration;
    }

    <E extends Enum<E>> E constant(Class<E> type) {
        String name = source.text();
        return Enum.valueOf(type, FORMER_CONSTANTS.getOrDefault(name, name));
    }

    <E extends Enum<E>> @Nullable E optionalConstant(Class<E> type) {
        return source.flag() ? constant(type) : null;
    }

    @Nullable String optionalText() {
        return source.flag() ? source.text() : null;
    }

    @Nullable Instant optionalInstant() {
        return source.flag() ? instant() : null;
    }

    @Nullable Duration optionalDuration() {
        return source.flag() ? duration() : null;
    }

    Usage.@Nullable Reading optionalReading() {
        return source.flag() ? new Usage.Reading(source.decimal(), instant()) : null;
    }

    SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        for (int left = count(); left > 0; left--) {
            texts.put(source.text(), source.text());
        }
        return texts;
    }

    /** Reads indexes into this collection; returns null if there are none. */
    <C extends Collection<Integer>> @Nullable C indexes(C indexes) {
        for (int left = count(); left > 0; left--) {
            indexes.add(count());
        }
        return indexes.isEmpty() ? null : indexes;
    }

    /** Reads counts by index; returns null if there are none. */
    @Nullable Map<Integer, Integer> counts() {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int left = count(); left > 0; left--) {
            counts.put(count(), count());
        }
        return counts.isEmpty() ? null : counts;
    }

    /** Reads the timer of a subject, if it had one, and sets it. */
    void timer(TimerSubject subject) {
        Instant due = optionalInstant();
        if (due != null) {
            timer(subject, due);
        }
    }

    /** Sets the timer of a subject. */
    void timer(TimerSubject subject, Instant due) {
        if (!timers.add(subject, due)) {
            throw corrupt("duplicate timer of " + subject);
        }
    }

    void register(Queue queue) {
        queues.add(queue);
    }

    @Nullable Queue queue() {
        int number = number(NONE);
        return number == NONE ? null : queues.get(number);
    }

    void register(Node node) {
        nodes.add(node);
    }

    Node node() {
        return nodes.get(count());
    }
}
