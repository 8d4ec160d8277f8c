package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the checkpoint of one partition. Adds to {@link StateSink} optional values, enum constants, and references to
 * queues and nodes that were written before. {@link PartitionCheckpointReader} reads each value with the method of the
 * same name.
 */
final class PartitionCheckpointWriter {

    private final StateSink sink;
    private final IdentityHashMap<Queue, Integer> queues = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Integer> nodes = new IdentityHashMap<>();

    PartitionCheckpointWriter(StateSink sink) {
        this.sink = sink;
    }

    /** Returns the underlying sink, for values that need no encoding. */
    StateSink sink() {
        return sink;
    }

    void constant(Enum<?> value) {
        sink.text(value.name());
    }

    void optionalConstant(@Nullable Enum<?> value) {
        optionalText(value == null ? null : value.name());
    }

    void optionalText(@Nullable String value) {
        sink.flag(value != null);
        if (value != null) {
            sink.text(value);
        }
    }

    void optional(@Nullable Instant value) {
        sink.flag(value != null);
        if (value != null) {
            sink.instant(value);
        }
    }

    void optional(@Nullable Duration value) {
        sink.flag(value != null);
        if (value != null) {
            sink.duration(value);
        }
    }

    void optional(Usage.@Nullable Reading value) {
        sink.flag(value != null);
        if (value != null) {
            sink.decimal(value.priority());
            sink.instant(value.at());
        }
    }

    void texts(SortedMap<String, String> texts) {
        sink.number(texts.size());
        texts.forEach((key, value) -> {
            sink.text(key);
            sink.text(value);
        });
    }

    /** Writes indexes in ascending order; null as none. */
    void indexes(@Nullable Collection<Integer> indexes) {
        sink.number(indexes == null ? 0 : indexes.size());
        if (indexes != null) {
            indexes.stream().sorted().forEach(sink::number);
        }
    }

    /** Writes counts by index, in ascending order of the indexes; null as none. */
    void counts(@Nullable Map<Integer, Integer> counts) {
        sink.number(counts == null ? 0 : counts.size());
        if (counts != null) {
            new TreeMap<>(counts).forEach((index, count) -> {
                sink.number(index);
                sink.number(count);
            });
        }
    }

    /** Writes when the timer of a subject is due, if it has one. */
    void timer(TimerSubject subject) {
        optional(subject.timer == null ? null : subject.timer.due());
    }

    /** Registers a queue, so that {@link #queue} can refer to it. */
    void register(Queue queue) {
        queues.put(queue, queues.size());
    }

    boolean isRegistered(Queue queue) {
        return queues.containsKey(queue);
    }

    /** Writes a reference to a registered queue, or to none. */
    void queue(@Nullable Queue queue) {
        sink.number(
                queue == null
                        ? PartitionCheckpointReader.NONE
                        : Objects.requireNonNull(queues.get(queue), queue.path()));
    }

    /** Registers a node, so that {@link #node} can refer to it. */
    void register(Node node) {
        nodes.put(node, nodes.size());
    }

    /** Writes a reference to a registered node. */
    void node(Node node) {
        sink.number(Objects.requireNonNull(nodes.get(node), node.name()));
    }
}
