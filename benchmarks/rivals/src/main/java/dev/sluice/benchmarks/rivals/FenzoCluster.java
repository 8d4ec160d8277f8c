package dev.sluice.benchmarks.rivals;

import com.netflix.fenzo.SchedulingResult;
import com.netflix.fenzo.TaskRequest;
import com.netflix.fenzo.TaskScheduler;
import com.netflix.fenzo.VMAssignmentResult;
import com.netflix.fenzo.VirtualMachineLease;
import com.netflix.fenzo.plugins.BinPackingFitnessCalculators;
import java.util.ArrayList;
import java.util.List;

/**
 * Fenzo with empty nodes of 100 cores and 100 GiB, which packs cores and memory. Each has threads of its own, one per processor,
 * that look at nodes side by side; they live until {@link #close}.
 */
final class FenzoCluster implements AutoCloseable {

    private static final int CORES = 100;
    private static final int QUEUES = 100;
    private static final long OFFERS_LAST_SECONDS = 3600;

    private final TaskScheduler scheduler;
    private final List<VirtualMachineLease> used = new ArrayList<>();

    /**
     * One with so many nodes, which it knows already.
     *
     * @param enough the fitness, from 0 to 1, above which a node is taken without looking at further ones; Fenzo's default is 1, which
     *     none exceeds, so that every node is looked at for every task
     */
    FenzoCluster(int nodes, double enough) {
        scheduler = new TaskScheduler.Builder()
                .withFitnessCalculator(BinPackingFitnessCalculators.cpuMemBinPacker)
                .withFitnessGoodEnoughFunction(fitness -> fitness > enough)
                .withLeaseOfferExpirySecs(OFFERS_LAST_SECONDS)
                .withLeaseRejectAction(lease -> {
                    throw new IllegalStateException(lease.hostname() + " was given back");
                })
                .build();
        List<VirtualMachineLease> offers = new ArrayList<>();
        long now = System.currentTimeMillis();
        for (int i = 0; i < nodes; i++) {
            offers.add(new FenzoLease("node-" + i, CORES, CORES * 1024.0, now));
        }
        scheduler.scheduleOnce(List.of(), offers);
    }

    /** So many tasks, of all queues in turns. */
    static List<TaskRequest> tasks(int count) {
        List<TaskRequest> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(new FenzoTask("task-" + i, "q" + i % QUEUES));
        }
        return tasks;
    }

    /** Makes all nodes empty again: nothing of what was placed is started, so what was offered is offered anew. */
    void clear() {
        scheduler.scheduleOnce(List.of(), used);
        used.clear();
    }

    /** Places tasks and returns how many it has placed. */
    int place(List<TaskRequest> tasks) {
        SchedulingResult result = scheduler.scheduleOnce(tasks, List.of());
        int placed = 0;
        for (VMAssignmentResult node : result.getResultMap().values()) {
            placed += node.getTasksAssigned().size();
            used.addAll(node.getLeasesUsed());
        }
        return placed;
    }

    @Override
    public void close() {
        scheduler.shutdown();
    }
}
