package dev.sluice.core.schedule;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.ExpectedEnd;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeForecast;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.Vectors;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What is expected to be free on a node now and after each expected end of a run, the earliest first. Preempted runs,
 * and those without a known end, do not end.
 */
final class ExpectedCapacity {

    private static final ExpectedCapacity NONE =
            new ExpectedCapacity(new Run[0], Vectors.empty(), Vectors.empty(), false);

    private final Run[] runs;
    private final long[] free;
    private final long[] freeInTheEnd;
    private final boolean declaresSlots;

    private record Run(Instant end, Task task) {}

    private ExpectedCapacity(Run[] runs, long[] free, long[] freeInTheEnd, boolean declaresSlots) {
        this.runs = runs;
        this.free = free;
        this.freeInTheEnd = freeInTheEnd;
        this.declaresSlots = declaresSlots;
    }

    /** Returns the expected capacity of a node; nothing if it is not ready. */
    static ExpectedCapacity of(Node node, int types, Instant now) {
        if (!node.isReady()) {
            return NONE;
        }
        List<Task> tasks = node.tasks();
        Run[] runs = new Run[tasks.size()];
        int known = 0;
        for (int i = 0; i < runs.length; i++) {
            Task task = tasks.get(i);
            Instant end = task.isPreempting() ? ExpectedEnd.NEVER : ExpectedEnd.of(task, now);
            if (end.isBefore(ExpectedEnd.NEVER)) {
                runs[known] = new Run(end, task);
                known++;
            }
        }
        runs = Arrays.copyOf(runs, known);
        Arrays.sort(runs, Comparator.comparing(Run::end));
        long[] free = NodeForecast.freeNow(node, types);
        long[] freeInTheEnd = free.clone();
        for (Run run : runs) {
            release(freeInTheEnd, run.task.demand(), node.declaresSlots());
        }
        return new ExpectedCapacity(runs, free, freeInTheEnd, node.declaresSlots());
    }

    private static void release(long[] free, long[] demand, boolean declaresSlots) {
        for (int type = 0; type < Math.min(free.length, demand.length); type++) {
            free[type] += type == ResourceTypes.SLOTS_INDEX && !declaresSlots ? 0 : demand[type];
        }
    }

    /** Returns the number of expected ends. */
    int ends() {
        return runs.length;
    }

    /** Returns an expected end; they ascend. */
    Instant end(int index) {
        return runs[index].end;
    }

    /** Adds what an end releases to what is free. */
    void release(int index, long[] amounts) {
        release(amounts, runs[index].task.demand(), declaresSlots);
    }

    /** Returns what is free now, as a vector; below 0 where too much is allocated. Must not be modified. */
    long[] free() {
        return free;
    }

    /** Returns what is free after all ends, as a vector. Must not be modified. */
    long[] freeInTheEnd() {
        return freeInTheEnd;
    }

    /** Returns whether this still holds at a later time if the tasks on the node have not changed. */
    boolean holdsAt(Instant now) {
        return runs.length == 0 || runs[0].end.isAfter(now);
    }

    /** Returns how many tasks with this demand fit in this much free capacity, at most a large number. */
    static long tasks(long[] demand, long[] free) {
        long tasks = Integer.MAX_VALUE;
        for (int type = 0; type < demand.length; type++) {
            if (demand[type] > 0) {
                tasks = Math.min(tasks, Math.max(0, Vectors.at(free, type)) / demand[type]);
            }
        }
        return tasks;
    }
}
