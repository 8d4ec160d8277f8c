package dev.sluice.core.state;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queues of one partition. */
public final class QueueTree {

    private final Partition partition;
    private final IndexAllocator indexes = new IndexAllocator();
    private final Map<String, Queue> queues = new HashMap<>();
    private final Queue root;

    /** Creates the root queue; the others are added when they are configured or read. */
    QueueTree(Partition partition, PartitionConfiguration configuration) {
        this.partition = partition;
        this.root = new Queue(null, configuration.root(), indexes.allocate(), false);
        queues.put(root.path(), root);
    }

    public Queue root() {
        return root;
    }

    /** Returns the queue with this path, or null. */
    public @Nullable Queue find(String path) {
        return queues.get(path);
    }

    /** Returns all queues, each before those below it, in the order of configuration, then creation. */
    public List<Queue> all() {
        List<Queue> all = new ArrayList<>(queues.size());
        collect(root, all);
        return all;
    }

    /** Returns an exclusive upper bound of the indexes of queues. */
    public int indexBound() {
        return indexes.bound();
    }

    /** Creates the limits of all queues anew, without usage. */
    void resetLimits() {
        all().forEach(queue -> queue.resetLimits(partition.types()));
    }

    void configure(PartitionConfiguration configuration) {
        configure(root, configuration.root());
    }

    private void configure(Queue queue, QueueConfiguration configuration) {
        queue.markConfigured();
        queue.configure(partition, configuration);
        List<Queue> ordered = new ArrayList<>();
        Set<String> configured = new HashSet<>();
        for (QueueConfiguration childConfiguration : configuration.children()) {
            configured.add(childConfiguration.name());
            Queue child = queue.child(childConfiguration.name());
            if (child == null) {
                child = add(queue, childConfiguration, false);
            }
            configure(child, childConfiguration);
            ordered.add(child);
        }
        for (Queue child : queue.children()) {
            if (!configured.contains(child.name())) {
                retire(child);
                if (queues.containsKey(child.path())) {
                    ordered.add(child);
                }
            }
        }
        queue.orderChildren(ordered);
    }

    /**
     * Removes a queue that is empty. Otherwise starts to drain it, unless a placement rule created it: then it stays.
     */
    private void retire(Queue queue) {
        if (queue.isDynamic()) {
            // before its children, which inherit from it
            queue.configure(partition, queue.configuration());
        }
        for (Queue child : queue.children()) {
            retire(child);
        }
        if (isEmpty(queue)) {
            remove(queue);
        } else if (!queue.isDynamic()) {
            queue.drain();
        }
    }

    private static boolean isEmpty(Queue queue) {
        return queue.children().isEmpty() && queue.applications().isEmpty();
    }

    /** Creates the missing queues of this path: a leaf at its end, parents above. */
    void create(String path) {
        Queue above = root;
        int start = root.path().length() + 1;
        while (start <= path.length()) {
            int dot = path.indexOf('.', start);
            String name = dot < 0 ? path.substring(start) : path.substring(start, dot);
            Queue child = above.child(name);
            if (child == null) {
                QueueConfiguration made = dot < 0 ? fromTemplate(above, name) : QueueConfiguration.parent(name);
                child = add(above, made, true);
                child.configure(partition, made);
            }
            above = child;
            start = dot < 0 ? path.length() + 1 : dot + 1;
        }
    }

    /** Returns the configuration with which a placement rule would create this queue now. */
    public QueueConfiguration templateOf(Queue queue) {
        Queue above = queue.parent();
        return above == null || !queue.isLeaf() ? queue.configuration() : fromTemplate(above, queue.name());
    }

    /** Returns the configuration of a leaf with this name that a placement rule creates below the given queue. */
    static QueueConfiguration fromTemplate(Queue above, String name) {
        for (Queue queue = above; queue != null; queue = queue.parent()) {
            ChildTemplate template = queue.configuration().childTemplate();
            if (template != null) {
                return template.leaf(name);
            }
        }
        return QueueConfiguration.leaf(name);
    }

    void remove(Queue queue) {
        Queue parent = queue.parent();
        if (parent == null || !isEmpty(queue)) {
            throw new IllegalStateException(queue + " is the root or not empty, so it cannot be removed");
        }
        parent.removeChild(queue);
        queue.removeLimits();
        queues.remove(queue.path());
        indexes.free(queue.index());
        partition.queueRemoved(queue);
    }

    /** Writes the state of the index allocation; the queues are written before. */
    void writeTo(PartitionCheckpointWriter out) {
        indexes.writeTo(out);
    }

    void readFrom(PartitionCheckpointReader in) {
        indexes.readFrom(in, all().stream().mapToInt(Queue::index));
    }

    /** Adds a queue that was read below its parent, which is already present. */
    void put(Queue queue) {
        Queue parent = queue.parent();
        if (parent == null || queues.putIfAbsent(queue.path(), queue) != null) {
            throw PartitionCheckpointReader.corrupt("duplicate queue " + queue);
        }
        parent.addChild(queue);
    }

    private Queue add(Queue parent, QueueConfiguration configuration, boolean dynamic) {
        Queue queue = new Queue(parent, configuration, indexes.allocate(), dynamic);
        parent.addChild(queue);
        queues.put(queue.path(), queue);
        return queue;
    }

    private static void collect(Queue queue, List<Queue> into) {
        into.add(queue);
        for (Queue child : queue.children()) {
            collect(child, into);
        }
    }
}
