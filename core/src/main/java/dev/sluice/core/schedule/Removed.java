package dev.sluice.core.schedule;

import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.util.HashMap;
import java.util.Map;

/** What each queue loses if a set of tasks is preempted. */
final class Removed {

    private final Map<Queue, long[]> amounts = new HashMap<>();

    /** Adds a task, or subtracts it for -1. */
    void add(Task task, int sign) {
        for (Queue queue = task.application().queue(); queue != null; queue = queue.parent()) {
            amounts.put(queue, Vectors.sum(amounts.getOrDefault(queue, Vectors.empty()), task.demand(), sign));
        }
    }

    /**
     * Returns whether no queue falls below its guaranteed resources if a task of this leaf is allocated in place of the
     * removed ones.
     */
    boolean keepsGuarantees(Queue leaf, long[] demand) {
        for (Map.Entry<Queue, long[]> entry : amounts.entrySet()) { // the order of queues does not matter
            Queue queue = entry.getKey();
            for (int type = 0; type < queue.guaranteed().length; type++) {
                long gained = queue.contains(leaf) ? Vectors.at(demand, type) : 0;
                long lost = Vectors.at(entry.getValue(), type) - gained;
                if (lost > 0 && queue.guaranteed(type) > 0 && queue.allocated(type) - lost < queue.guaranteed(type)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the amount of this type that a queue loses. */
    long amount(Queue queue, int type) {
        long[] removed = amounts.get(queue);
        return removed == null ? 0 : Vectors.at(removed, type);
    }
}
