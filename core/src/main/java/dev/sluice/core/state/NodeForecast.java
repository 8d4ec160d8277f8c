package dev.sluice.core.state;

import dev.sluice.core.resource.ResourceTypes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What is expected to be free on a node, by the {@linkplain ExpectedEnd expected ends} of the runs on it. */
public final class NodeForecast {

    private NodeForecast() {}

    private record End(Instant at, Task task) {}

    /**
     * Returns when the node is first expected to have this much free: {@code now} if it has, {@link ExpectedEnd#NEVER}
     * if never. Preempted tasks count as ended.
     */
    public static Instant startOn(Node node, long[] demand, Instant now) {
        long[] missing = missing(node, demand);
        if (isNoneMissing(missing)) {
            return now;
        }
        if (!node.isLargeEnoughFor(demand)) {
            return ExpectedEnd.NEVER;
        }
        List<End> ends = new ArrayList<>(node.tasks().size());
        for (Task task : node.tasks()) {
            Instant end = task.isPreempting() ? ExpectedEnd.NEVER : ExpectedEnd.of(task, now);
            if (end.isBefore(ExpectedEnd.NEVER)) {
                ends.add(new End(end, task));
            }
        }
        ends.sort(Comparator.comparing(End::at));
        for (End end : ends) {
            subtract(missing, end.task.demand());
            if (isNoneMissing(missing)) {
                return end.at;
            }
        }
        return ExpectedEnd.NEVER;
    }

    /** Returns whether the node is expected to have this much free at that time. */
    public static boolean isFreeAt(Node node, long[] demand, Instant at, Instant now) {
        long[] missing = missing(node, demand);
        for (Task task : node.tasks()) {
            if (!task.isPreempting() && !ExpectedEnd.of(task, now).isAfter(at)) {
                subtract(missing, task.demand());
            }
        }
        return isNoneMissing(missing);
    }

    /**
     * Returns how much of each type is free, as a vector of this length; below 0 where more is allocated than the node
     * has, a large number where it has no limit.
     */
    public static long[] freeNow(Node node, int types) {
        long[] free = new long[types];
        for (int type = 0; type < types; type++) {
            boolean unlimited = type == ResourceTypes.SLOTS_INDEX && !node.declaresSlots();
            free[type] = unlimited ? Long.MAX_VALUE / 2 : node.capacity(type) - node.allocated(type);
        }
        return free;
    }

    /**
     * Returns how much of each type is free when all runs with a known end have ended, as a vector of this length, like
     * {@link #freeNow}. Preempted tasks count as ended.
     */
    public static long[] freeInTheEnd(Node node, int types) {
        long[] free = freeNow(node, types);
        List<Task> tasks = node.tasks();
        for (int i = 0; i < tasks.size(); i++) {
            Task task = tasks.get(i);
            if (!task.isPreempting() && ExpectedEnd.isKnown(task)) {
                for (int type = 0; type < types; type++) {
                    boolean unlimited = type == ResourceTypes.SLOTS_INDEX && !node.declaresSlots();
                    free[type] += unlimited ? 0 : task.demand(type);
                }
            }
        }
        return free;
    }

    /** Returns how much the node lacks for this demand, by type; 0 or less where it has enough. */
    private static long[] missing(Node node, long[] demand) {
        long[] missing = new long[demand.length];
        for (int type = 0; type < demand.length; type++) {
            boolean unlimited = type == ResourceTypes.SLOTS_INDEX && !node.declaresSlots();
            missing[type] = unlimited || demand[type] == 0
                    ? Long.MIN_VALUE / 2
                    : demand[type] - node.capacity(type) + node.allocated(type);
        }
        return missing;
    }

    private static void subtract(long[] missing, long[] demand) {
        for (int type = 0; type < Math.min(missing.length, demand.length); type++) {
            missing[type] -= demand[type];
        }
    }

    private static boolean isNoneMissing(long[] missing) {
        for (long amount : missing) {
            if (amount > 0) {
                return false;
            }
        }
        return true;
    }
}
