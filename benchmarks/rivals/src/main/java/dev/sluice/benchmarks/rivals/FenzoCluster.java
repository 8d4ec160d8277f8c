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
 * Fenzo with empty nodes of 100 cores and 100 GiB, packing cores and memory. Each instance has its own threads, one per
 * processor, which evaluate nodes in parallel; they run until {@link #close}.
 */
final class FenzoCluster implements AutoCloseable {

    private static final int CORES = 100;
    private static final int QUEUES = 100;
    private static final long OFFERS_LAST_SECONDS = 3600;

    private final TaskScheduler scheduler;
    private final List<VirtualMachineLease> used = new ArrayList<>();

    /**
     * Creates a cluster that already knows its nodes.
     *
     * @param enough the fitness, from 0 to 1, above which a node is chosen without evaluating further ones; with
     *     Fenzo's default of 1, which no fitness exceeds, every node is evaluated for every task
     */
    FenzoCluster(int nodes, double enough) {
        scheduler = new TaskScheduler.Builder()
                .withFitnessCalculator(BinPackingFitnessCalculators.cpuMemBinPacker)
                .withFitnessGoodEnoughFunction(fitness -> fitness > enough)
                .withLeaseOfferExpirySecs(OFFERS_LAST_SECONDS)
                .withLeaseRejectAction(lease -> {
                    throw new IllegalStateException("unexpected rejection of " + lease.hostname());
                })
                .build();
        List<VirtualMachineLease> offers = new ArrayList<>();
        long now = System.currentTimeMillis();
        for (int i = 0; i < nodes; i++) {
            offers.add(new FenzoLease("node-" + i, CORES, CORES * 1024.0, now));
        }
        scheduler.scheduleOnce(List.of(), offers);
    }

    /** Creates tasks, distributed round-robin over all queues. */
    static List<TaskRequest> tasks(int count) {
        List<TaskRequest> tasks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tasks.add(new FenzoTask("task-" + i, "q" + i % QUEUES));
        }
        return tasks;
    }

    /** Empties all nodes by offering their resources again; no placed task was ever launched. */
    void clear() {
        scheduler.scheduleOnce(List.of(), used);
        used.clear();
    }

    /** Places tasks and returns how many were placed. */
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
