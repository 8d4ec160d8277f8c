package dev.sluice.core.state;

import dev.sluice.core.resource.ResourceTypes;

/** The sums of the capacities of the nodes of a partition. */
final class NodeTotals {

    private long[] ready = new long[1];
    private long[] registered = Vectors.empty();
    private long workers;
    private int declaringSlots;
    private int readyNodes;

    /** Adds the capacity of a node, or subtracts it if the sign is -1. */
    void count(Node node, int sign) {
        registered = Vectors.add(registered, node.capacityVector(), sign);
        if (node.isReady()) {
            ready = Vectors.add(ready, node.capacityVector(), sign);
            readyNodes += sign;
            workers += sign * node.workers();
            declaringSlots += node.declaresSlots() ? sign : 0;
            ready[ResourceTypes.SLOTS_INDEX] = declaringSlots > 0 ? workers : 0;
        }
    }

    long[] ready() {
        return ready;
    }

    long[] registered() {
        return registered;
    }

    int readyNodes() {
        return readyNodes;
    }

    long workers() {
        return workers;
    }

    boolean countsSlots() {
        return declaringSlots > 0;
    }
}
