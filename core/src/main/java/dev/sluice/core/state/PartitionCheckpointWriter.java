package dev.sluice.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the checkpoint of one partition: what a {@link StateSink} takes, and beyond that what may be absent, words of enums, and what stands for a
 * queue or a node that was written before. {@link PartitionCheckpointReader} reads each in the same way.
 */
final class PartitionCheckpointWriter {

    private final StateSink sink;
    private final IdentityHashMap<Queue, Integer> queues = new IdentityHashMap<>();
    private final IdentityHashMap<Node, Integer> nodes = new IdentityHashMap<>();

    PartitionCheckpointWriter(StateSink sink) {
        this.sink = sink;
    }

    /** What takes the parts, for those that it takes itself. */
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

    /** When something is due of it, if so. */
    void timer(TimerSubject subject) {
        optional(subject.timer == null ? null : subject.timer.due());
    }

    /** From now on {@link #queue} can stand for this one. */
    void register(Queue queue) {
        queues.put(queue, queues.size());
    }

    boolean isRegistered(Queue queue) {
        return queues.containsKey(queue);
    }

    /** Stands for a queue that is known, or for none. */
    void queue(@Nullable Queue queue) {
        sink.number(
                queue == null
                        ? PartitionCheckpointReader.NONE
                        : Objects.requireNonNull(queues.get(queue), queue.path()));
    }

    /** From now on {@link #node} can stand for this one. */
    void register(Node node) {
        nodes.put(node, nodes.size());
    }

    /** Stands for a node that is known. */
    void node(Node node) {
        sink.number(Objects.requireNonNull(nodes.get(node), node.name()));
    }
}
