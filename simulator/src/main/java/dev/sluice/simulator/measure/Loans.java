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
 * Who holds slots that others are entitled to, at an instant, below every parent that divides by load; see
 * {@link dev.sluice.simulator.figures.Definition#LOANS}.
 */
final class Loans {

    private final Map<Queue, Double> taken = new HashMap<>();
    private final Map<Queue, Double> given = new HashMap<>();
    private double total;

    private Loans() {}

    /** The loans in this partition as it is now. */
    static Loans of(Partition partition) {
        Loans loans = new Loans();
        loans.collect(partition.queues().root(), (int) Math.min(Integer.MAX_VALUE, partition.workers()), partition);
        return loans;
    }

    /** Slots that this class holds beyond what it is entitled to. */
    double taken(Queue queue) {
        return taken.getOrDefault(queue, 0.0);
    }

    /** Slots that this class is entitled to and others hold. */
    double given(Queue queue) {
        return given.getOrDefault(queue, 0.0);
    }

    /** All slots on loan. */
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
        double takenHere = 0;
        double idleHere = 0;
        for (int i = 0; i < children.size(); i++) {
            int beyond = children.get(i).allocatedTasks() - entitlements.get(i);
            takenHere += Math.max(0, beyond);
            idleHere += Math.max(0, -beyond);
        }
        for (int i = 0; i < children.size(); i++) {
            Queue child = children.get(i);
            int beyond = child.allocatedTasks() - entitlements.get(i);
            taken.put(child, (double) Math.max(0, beyond));
            given.put(child, idleHere == 0 ? 0.0 : Math.max(0, -beyond) * Math.min(1, takenHere / idleHere));
            collect(child, entitlements.get(i), partition);
        }
        total += takenHere;
    }

    private static LoadClass loadClass(Queue queue) {
        return new LoadClass(queue.configuration().properties().load().percentOrZero(), 0, 0);
    }
}
