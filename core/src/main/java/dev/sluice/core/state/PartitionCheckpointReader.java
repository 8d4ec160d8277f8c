package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the checkpoint of one partition that an {@link PartitionCheckpointWriter} wrote. Instants and durations that are equal become one object for the most
 * part, since in the state that was written they mostly were: of a million tasks, many were placed at the same instant.
 */
final class PartitionCheckpointReader {
    /** Names that checkpoints of earlier releases have for constants, and their names today. */
    private static final Map<String, String> FORMER_CONSTANTS = Map.of("HELD", "RESERVED", "LEAVING", "PREEMPTING");

    /** Stands for no queue. */
    static final int NONE = -1;

    private static final int SHARED = 1 << 10;

    private final StateSource source;
    private final long version;
    private final Timers timers;
    private final List<Queue> queues = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final @Nullable Instant[] instants = new Instant[SHARED];
    private final @Nullable Duration[] durations = new Duration[SHARED];

    /** Reads a partition from a checkpoint of this version, which will have these timers. */
    PartitionCheckpointReader(StateSource source, long version, Timers timers) {
        this.source = source;
        this.version = version;
        this.timers = timers;
    }

    /** Says that what is read cannot have been written. */
    static IllegalStateException corrupt(String what) {
        return new IllegalStateException("the checkpoint of the state is damaged: " + what);
    }

    /** Whether the checkpoint has neither the sequence numbers of applications nor which of their tasks was allocated first. */
    boolean isVersion1() {
        return version == SchedulerState.CHECKPOINT_VERSION_MIN;
    }

    /** What gives the parts, for those that it gives itself; of instants, durations and counts better ask here. */
    StateSource source() {
        return source;
    }

    /** A number of things, or one of them, counted from 0; nothing is to be made in advance for so many, since none of them may follow. */
    int count() {
        return number(0);
    }

    /** A whole number that is not below that one. */
    int number(int least) {
        long number = source.number();
        if (number < least || number > Integer.MAX_VALUE) {
            throw corrupt(number + " stands where a number from " + least + " on should");
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

    /** Makes this due when it was, if it was. */
    void timer(TimerSubject subject) {
        Instant due = optionalInstant();
        if (due != null && !timers.add(subject, due)) {
            throw corrupt("two things are due that cannot be told apart, " + subject + " and another one");
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
