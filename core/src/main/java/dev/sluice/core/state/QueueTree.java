package dev.sluice.core.state;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueConfiguration.ChildTemplate;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.resource.Resources;
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

    /** The queue at the top alone; those below it come when they are configured, or read. */
    QueueTree(Partition partition, PartitionConfiguration configuration) {
        this.partition = partition;
        this.root = new Queue(null, configuration.root(), indexes.allocate(), false);
        queues.put(root.path(), root);
    }

    /** The queue at the top. */
    public Queue root() {
        return root;
    }

    /** The queue with this path, or null. */
    public @Nullable Queue find(String path) {
        return queues.get(path);
    }

    /** All queues, each before the queues below it, in the order of configuration and then of creation. */
    public List<Queue> all() {
        List<Queue> all = new ArrayList<>(queues.size());
        collect(root, all);
        return all;
    }

    /** One more than the largest index of a queue. */
    public int indexBound() {
        return indexes.bound();
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

    /** Takes out what is empty; what is not drains, unless a placement rule made it: then it lives on. */
    private void retire(Queue queue) {
        if (queue.isDynamic()) {
            // before those below it, which inherit from it
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

    /** Makes the queues of this path that do not exist: a leaf at its end, parents above. */
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

    /** The configuration of a leaf of this name that a placement rule makes below that queue. */
    static QueueConfiguration fromTemplate(Queue above, String name) {
        for (Queue queue = above; queue != null; queue = queue.parent()) {
            ChildTemplate template = queue.configuration().childTemplate();
            if (template != null) {
                return QueueConfiguration.of(
                        name,
                        template.guaranteed(),
                        template.max(),
                        template.maxApplications(),
                        template.properties(),
                        List.of());
            }
        }
        return QueueConfiguration.of(name, Resources.NONE, Resources.NONE, 0, QueueProperties.DEFAULTS, List.of());
    }

    void remove(Queue queue) {
        Queue parent = queue.parent();
        if (parent == null || !isEmpty(queue)) {
            throw new IllegalStateException(queue + " cannot be removed");
        }
        parent.removeChild(queue);
        queues.remove(queue.path());
        indexes.free(queue.index());
        partition.queueRemoved(queue);
    }

    /** Writes what comes next; the queues are written before. */
    void writeTo(PartitionCheckpointWriter out) {
        indexes.writeTo(out);
    }

    void readFrom(PartitionCheckpointReader in) {
        indexes.readFrom(in, all().stream().mapToInt(Queue::index));
    }

    /** Puts a queue that was read below its parent, which is there. */
    void put(Queue queue) {
        Queue parent = queue.parent();
        if (parent == null || queues.putIfAbsent(queue.path(), queue) != null) {
            throw PartitionCheckpointReader.corrupt("there are two queues " + queue);
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
