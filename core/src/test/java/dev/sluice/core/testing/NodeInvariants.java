package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.isTrue;
import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Invariants of nodes and of their totals. */
final class NodeInvariants {

    private final Partition partition;
    private final ResourceTypes types;
    private final Set<Task> placed;

    /** Creates the invariants of a partition with these tasks on nodes. */
    NodeInvariants(Partition partition, Set<Task> placed) {
        this.partition = partition;
        this.types = partition.types();
        this.placed = placed;
    }

    void check() {
        Set<Integer> indexes = new HashSet<>();
        Sum total = new Sum(types);
        Sum registered = new Sum(types);
        long workers = 0;
        boolean countsSlots = false;
        int tasks = 0;
        for (Node node : partition.nodes()) {
            same(node, "the registered instance", partition.node(node.name()), node);
            isTrue(node, "a unique index", indexes.add(node.index()) && node.index() < partition.nodeIndexBound());
            isTrue(node, "not removed", !node.isRemoved());
            Sum allocated = new Sum(types);
            int holding = 0;
            int reserved = 0;
            for (Task task : node.tasks()) {
                isTrue(task, "allocated in its group", placed.contains(task) && task.node() == node);
                if (!task.isPreempting()) {
                    allocated.add(task.demand(), 1);
                    holding++;
                }
                if (task.isReserved()) {
                    reserved++;
                    isTrue(task, "reserved only while victims have not ended", node.mustReserve(task.demand()));
                    isTrue(task, "reserved only on a ready node", node.isReady());
                    isTrue(task, "reserved only where it may start", mayStart(node, task));
                }
                tasks++;
            }
            allocated.check(node, "allocated", node.allocated());
            same(node, "reserved tasks", node.reserved().size(), reserved);
            same(node, "idle workers", node.idleWorkers(), Math.max(0, node.workers() - holding));
            registered.add(node.capacityVector(), 1);
            same(node, "capacity", StateText.amounts(node.capacityVector(), types), nonZero(node));
            if (node.health() == NodeHealth.READY && !node.isOffline()) {
                total.add(node.capacityVector(), 1);
                workers += node.workers();
                countsSlots |= node.declaresSlots();
            }
        }
        same(partition.name(), "tasks on nodes", tasks, placed.size());
        total.set(ResourceTypes.SLOTS, countsSlots ? workers : 0);
        total.check(partition.name(), "total", partition.total());
        registered.check(partition.name(), "registered", partition.registered());
        same(partition.name(), "workers", partition.workers(), workers);
        same(partition.name(), "counts slots", partition.countsSlots(), countsSlots);
    }

    private static boolean mayStart(Node node, Task task) {
        return task.kind().constraints().permits(node.name(), node.labels(), node.taints());
    }

    private static SortedMap<String, Long> nonZero(Node node) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        node.capacity().amounts().forEach((type, amount) -> {
            if (amount.value() != 0) {
                amounts.put(type, amount.value());
            }
        });
        return amounts;
    }
}
