package dev.sluice.simulator.measure;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * What is free in a partition while tasks wait, by why it is free: because nothing that waits fits there, or although something fits; see
 * {@link dev.sluice.simulator.figures.Definition#FRAGMENTATION}.
 *
 * <p>Only the smallest of the shapes that wait are tried on the nodes: O(shapes² + nodes × smallest shapes).
 */
final class FreeCapacity {

    /** Shapes beyond these are not looked at: what only they would fit counts as fragmented. */
    private static final int CLASSES_MAX = 1_000;

    private final long[] fragmented;
    private final long[] withheld;

    private FreeCapacity(int types) {
        fragmented = new long[types];
        withheld = new long[types];
    }

    /** The free room of this partition as it is now, in which tasks of these shapes may wait. */
    static FreeCapacity of(Partition partition, Collection<WaitingClass> waitingClasses) {
        FreeCapacity room = new FreeCapacity(partition.types().size());
        List<WaitingClass> smallest = smallest(waitingClasses);
        if (!smallest.isEmpty()) {
            for (Node node : partition.nodes()) {
                if (node.isReady()) {
                    room.add(node, smallest, partition.countsSlots());
                }
            }
        }
        return room;
    }

    /** Free, but too little or of the wrong kind for anything that waits, by resource type. */
    long fragmented(int type) {
        return fragmented[type];
    }

    /** Free, and large enough for something that waits, by resource type. */
    long withheld(int type) {
        return withheld[type];
    }

    private void add(Node node, List<WaitingClass> waitingClasses, boolean countsSlots) {
        boolean fits = waitingClasses.stream().anyMatch(waitingClass -> waitingClass.fits(node));
        long[] sums = fits ? withheld : fragmented;
        for (int type = 0; type < sums.length; type++) {
            if (type > 0 || node.declaresSlots()) {
                sums[type] += node.free(type);
            } else if (countsSlots) {
                sums[type] += node.idleWorkers();
            }
        }
    }

    private static List<WaitingClass> smallest(Collection<WaitingClass> waitingClasses) {
        List<WaitingClass> smallest = new ArrayList<>();
        int tried = 0;
        for (WaitingClass waitingClass : waitingClasses) {
            if (waitingClass.isPlaceable() && tried++ < CLASSES_MAX) {
                if (smallest.stream().noneMatch(other -> other.fitsWherever(waitingClass))) {
                    smallest.removeIf(waitingClass::fitsWherever);
                    smallest.add(waitingClass);
                }
            }
        }
        return smallest;
    }
}
