package dev.sluice.simulator.measure;

import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.share.LoadClass;
import dev.sluice.core.share.LoadDivision;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The slots that load classes hold beyond their entitlement at an instant, below every parent that divides by load; see
 * {@link dev.sluice.simulator.figures.Definition#LOANS}.
 */
final class Loans {

    private final Map<Queue, Double> borrowed = new HashMap<>();
    private final Map<Queue, Double> lent = new HashMap<>();
    private double total;

    private Loans() {}

    /** Returns the loans in the current state of this partition. */
    static Loans of(Partition partition) {
        Loans loans = new Loans();
        loans.collect(partition.queues().root(), (int) Math.min(Integer.MAX_VALUE, partition.workers()), partition);
        return loans;
    }

    /** Returns the slots that this class holds beyond its entitlement. */
    double borrowed(Queue queue) {
        return borrowed.getOrDefault(queue, 0.0);
    }

    /** Returns the slots of this class's entitlement that other classes hold. */
    double lent(Queue queue) {
        return lent.getOrDefault(queue, 0.0);
    }

    /** Returns the total number of slots on loan. */
    double total() {
        return total;
    }

    private void collect(Queue parent, int workers, Partition partition) {
        List<Queue> children = parent.children();
        if (parent.sharePolicy() != SharePolicyKind.LOAD || children.isEmpty()) {
            for (Queue child : children) {
                collect(child, workers, partition);
            }
            return;
        }
        List<Integer> entitlements = LoadDivision.allocate(
                        workers, 0, children.stream().map(Loans::loadClass).toList())
                .entitlements();
        double borrowedHere = 0;
        double idleHere = 0;
        for (int i = 0; i < children.size(); i++) {
            int beyond = children.get(i).allocatedTasks() - entitlements.get(i);
            borrowedHere += Math.max(0, beyond);
            idleHere += Math.max(0, -beyond);
        }
        for (int i = 0; i < children.size(); i++) {
            Queue child = children.get(i);
            int beyond = child.allocatedTasks() - entitlements.get(i);
            borrowed.put(child, (double) Math.max(0, beyond));
            lent.put(child, idleHere == 0 ? 0.0 : Math.max(0, -beyond) * Math.min(1, borrowedHere / idleHere));
            collect(child, entitlements.get(i), partition);
        }
        total += borrowedHere;
    }

    private static LoadClass loadClass(Queue queue) {
        return new LoadClass(queue.configuration().properties().load().percentOrZero(), 0, 0);
    }
}
