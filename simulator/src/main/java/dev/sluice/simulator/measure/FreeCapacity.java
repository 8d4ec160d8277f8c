package dev.sluice.simulator.measure;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The free capacity of a partition while tasks wait, split by reason: either no waiting task fits there, or some task
 * fits and does not start; see {@link dev.sluice.simulator.figures.Definition#FRAGMENTATION}.
 *
 * <p>Tries only the smallest waiting classes on the nodes: O(classes² + nodes × smallest classes).
 */
final class FreeCapacity {

    /** The maximum number of classes that are tried; capacity that fits only further classes counts as fragmented. */
    private static final int CLASSES_MAX = 1_000;

    private final long[] fragmented;
    private final long[] withheld;

    private FreeCapacity(int types) {
        fragmented = new long[types];
        withheld = new long[types];
    }

    /** Returns the current free capacity of this partition, given the classes of tasks that may wait in it. */
    static FreeCapacity of(Partition partition, Collection<WaitingClass> waitingClasses) {
        FreeCapacity freeCapacity = new FreeCapacity(partition.types().size());
        List<WaitingClass> smallest = smallest(waitingClasses);
        if (!smallest.isEmpty()) {
            for (Node node : partition.nodes()) {
                if (node.isReady()) {
                    freeCapacity.add(node, smallest, partition.countsSlots());
                }
            }
        }
        return freeCapacity;
    }

    /** Returns the free capacity that is too small or of the wrong kind for every waiting task, by resource type. */
    long fragmented(int type) {
        return fragmented[type];
    }

    /** Returns the free capacity that fits a waiting task, by resource type. */
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
