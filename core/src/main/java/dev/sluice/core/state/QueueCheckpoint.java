package dev.sluice.core.state;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Writes and reads the queues of a partition: first those of the tree, then removed ones that still contain remembered
 * applications. Each queue comes after its parent.
 *
 * <p>Most configurations are not written with the queue, because they can be found in the parent's configuration or in
 * a template. Only those of draining queues, and of queues created from a template that has changed since, are written.
 */
final class QueueCheckpoint {

    private final Partition partition;
    private final IdentityHashMap<Queue, Map<String, QueueConfiguration>> configured = new IdentityHashMap<>();

    /** Where the configuration of a queue is found. */
    private enum Origin {
        /** In the configuration of the parent. */
        ABOVE,
        /** In the parent's template for queues created by placement rules. */
        TEMPLATE,
        /** It is the configuration of every parent that placement rules create. */
        PLAIN_PARENT,
        /** In the checkpoint. */
        OWN
    }

    /** Creates a writer or reader for the queues of this partition. */
    QueueCheckpoint(Partition partition) {
        this.partition = partition;
    }

    void writeTo(PartitionCheckpointWriter out) {
        QueueTree tree = partition.queues();
        Deque<Queue> gone = new ArrayDeque<>();
        tree.all().forEach(out::register);
        for (Application application : partition.applications()) {
            Deque<Queue> unknown = new ArrayDeque<>();
            Queue queue = application.hasQueue() ? application.queue() : null;
            for (; queue != null && !out.isRegistered(queue); queue = queue.parent()) {
                unknown.push(queue);
            }
            unknown.forEach(out::register);
            gone.addAll(unknown);
        }
        out.sink().number(tree.all().size());
        tree.all().forEach(queue -> write(queue, out));
        tree.writeTo(out);
        out.sink().number(gone.size());
        gone.forEach(queue -> write(queue, out));
    }

    void readFrom(PartitionCheckpointReader in) {
        QueueTree tree = partition.queues();
        int left = in.count();
        tree.root().readFrom(in, partition);
        in.register(tree.root());
        for (left--; left > 0; left--) {
            Queue queue = read(in);
            queue.updateSortPolicy();
            tree.put(queue);
        }
        tree.readFrom(in);
        for (left = in.count(); left > 0; left--) {
            read(in);
        }
    }

    private void write(Queue queue, PartitionCheckpointWriter out) {
        Queue above = queue.parent();
        if (above != null) {
            out.queue(above);
            writeConfiguration(queue, above, out);
            out.sink().number(queue.index());
            out.sink().flag(queue.isDynamic());
        }
        queue.writeTo(out);
    }

    private Queue read(PartitionCheckpointReader in) {
        Queue above = in.queue();
        if (above == null || depth(above) >= SchedulerLimits.QUEUE_DEPTH_MAX) {
            throw PartitionCheckpointReader.corrupt("a queue has no parent or is nested too deeply: below " + above);
        }
        QueueConfiguration configuration = readConfiguration(above, in);
        Queue queue = new Queue(above, configuration, in.count(), in.source().flag());
        queue.readFrom(in, partition);
        in.register(queue);
        return queue;
    }

    private static int depth(Queue queue) {
        int depth = 1;
        for (Queue above = queue.parent(); above != null; above = above.parent()) {
            depth++;
        }
        return depth;
    }

    private void writeConfiguration(Queue queue, Queue above, PartitionCheckpointWriter out) {
        QueueConfiguration configuration = queue.configuration();
        Origin origin = origin(queue.name(), configuration, above);
        out.constant(origin);
        if (origin == Origin.OWN) {
            out.sink().configuration(PartitionConfiguration.of(partition.name(), configuration));
        } else {
            out.sink().text(queue.name());
        }
    }

    private Origin origin(String name, QueueConfiguration configuration, Queue above) {
        if (configuration.equals(configured(above).get(name))) {
            return Origin.ABOVE;
        }
        if (configuration.equals(QueueTree.fromTemplate(above, name))) {
            return Origin.TEMPLATE;
        }
        return configuration.equals(QueueConfiguration.parent(name)) ? Origin.PLAIN_PARENT : Origin.OWN;
    }

    private QueueConfiguration readConfiguration(Queue above, PartitionCheckpointReader in) {
        Origin origin = in.constant(Origin.class);
        if (origin == Origin.OWN) {
            return in.source().configuration().root();
        }
        String name = in.source().text();
        QueueConfiguration configuration = switch (origin) {
            case ABOVE -> configured(above).get(name);
            case TEMPLATE -> QueueTree.fromTemplate(above, name);
            case PLAIN_PARENT, OWN -> QueueConfiguration.parent(name);
        };
        if (configuration == null) {
            throw PartitionCheckpointReader.corrupt("queue " + name + " is not configured below " + above);
        }
        return configuration;
    }

    /** Returns the configured children of a queue by name. */
    private Map<String, QueueConfiguration> configured(Queue above) {
        return configured.computeIfAbsent(above, queue -> {
            Map<String, QueueConfiguration> byName = new HashMap<>();
            queue.configuration().children().forEach(child -> byName.put(child.name(), child));
            return byName;
        });
    }
}
