package dev.sluice.simulator.measure;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.simulator.figures.NodeTimeline;
import dev.sluice.simulator.figures.ResourceFigures;
import dev.sluice.simulator.figures.TimeFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the state of the nodes of all partitions together: used and free capacity, and the number of waiting and
 * running tasks.
 */
final class ClusterTally {

    /** The maximum number of rows in the timeline of nodes. */
    static final int ROWS_MAX = 64;

    private final SchedulerState state;
    private final ResourceTypes types;
    private final double capacityScale;
    private final SortedMap<String, Resource> resources = new TreeMap<>();
    private final List<Row> rows = new ArrayList<>();
    private final TimeSeriesSampler.TimeSeries waiting;
    private final TimeSeriesSampler.TimeSeries running;
    private final TimeSeriesSampler.TimeSeries loans;
    private final double[] amountSeconds;
    private double waitingNow;
    private double runningNow;
    private double loansNow;

    private static final class Resource {
        private final int type;
        private final double capacity;
        private final TimeSeriesSampler.TimeSeries used;
        private final TimeSeriesSampler.TimeSeries fragmented;
        private final TimeSeriesSampler.TimeSeries withheld;
        private double usedNow;
        private double fragmentedNow;
        private double withheldNow;

        /** The partition of the last lookup and the index of the type there, which never changes; or -1. */
        private @Nullable Partition latest;

        private int latestType = -1;

        private Resource(int type, double capacity, TimeSeriesSampler samples) {
            this.type = type;
            this.capacity = capacity;
            this.used = samples.newSeries();
            this.fragmented = samples.newSeries();
            this.withheld = samples.newSeries();
        }
    }

    private record Row(List<Node> nodes, TimeSeriesSampler.TimeSeries used) {}

    ClusterTally(SchedulerState state, TimeSeriesSampler samples, ResourceTypes types, double capacityScale) {
        this.state = state;
        this.types = types;
        this.capacityScale = capacityScale;
        this.waiting = samples.newSeries();
        this.running = samples.newSeries();
        this.loans = samples.newSeries();
        List<Node> nodes = new ArrayList<>();
        SortedMap<String, Double> capacity = new TreeMap<>();
        for (Partition partition : state.partitions()) {
            nodes.addAll(partition.nodes());
            addCapacity(partition, capacity);
        }
        capacity.forEach((name, amount) -> resources.put(name, new Resource(types.index(name), amount, samples)));
        this.amountSeconds = new double[types.size()];
        int perRow = (nodes.size() + ROWS_MAX - 1) / ROWS_MAX;
        for (int i = 0; i < nodes.size(); i += perRow) {
            rows.add(new Row(List.copyOf(nodes.subList(i, Math.min(nodes.size(), i + perRow))), samples.newSeries()));
        }
    }

    /** Adds the capacity of the nodes that are ready, or will become ready without a command. */
    private void addCapacity(Partition partition, SortedMap<String, Double> capacity) {
        long[] sum = new long[partition.types().size()];
        long workers = 0;
        boolean countsSlots = false;
        for (Node node : partition.nodes()) {
            if (!node.isOffline() && (node.health() == NodeHealth.READY || node.health() == NodeHealth.FLAKY)) {
                for (int type = 0; type < sum.length; type++) {
                    sum[type] += node.capacity(type);
                }
                workers += node.workers();
                countsSlots |= node.declaresSlots();
            }
        }
        for (int type = 0; type < sum.length; type++) {
            boolean slots = type == ResourceTypes.SLOTS_INDEX;
            double amount = slots ? (countsSlots ? workers : 0) : sum[type];
            if (amount > 0) {
                capacity.merge(partition.types().name(type), amount / capacityScale, Double::sum);
            }
        }
    }

    /** Advances the time, during which nothing changes. */
    void advance(double seconds) {
        for (Partition partition : state.partitions()) {
            Queue root = partition.queues().root();
            for (Resource resource : resources.values()) {
                amountSeconds[resource.type] += allocated(partition, root, resource) * seconds;
            }
        }
    }

    private long allocated(Partition partition, Queue root, Resource resource) {
        if (resource.latest != partition || resource.latestType < 0) {
            resource.latest = partition;
            resource.latestType = partition.types().find(types.name(resource.type));
        }
        int type = resource.latestType;
        return type < 0 ? 0 : root.allocated(type);
    }

    void beginObservation() {
        waitingNow = 0;
        runningNow = 0;
        loansNow = 0;
        for (Resource resource : resources.values()) {
            resource.usedNow = 0;
            resource.fragmentedNow = 0;
            resource.withheldNow = 0;
        }
    }

    void observe(Partition partition, FreeCapacity freeCapacity, double onLoan) {
        Queue root = partition.queues().root();
        waitingNow += root.pendingTasks();
        runningNow += root.allocatedTasks();
        loansNow += onLoan;
        for (Resource resource : resources.values()) {
            int type = partition.types().find(types.name(resource.type));
            if (type >= 0) {
                resource.usedNow += root.allocated(type);
                if (capacityScale == 1) { // with infinite nodes nothing is scarce, so fragmentation is meaningless
                    resource.fragmentedNow += freeCapacity.fragmented(type);
                    resource.withheldNow += freeCapacity.withheld(type);
                }
            }
        }
    }

    void endObservation() {
        waiting.set(waitingNow);
        running.set(runningNow);
        loans.set(loansNow);
        for (Resource resource : resources.values()) {
            resource.used.set(resource.usedNow);
            resource.fragmented.set(resource.fragmentedNow);
            resource.withheld.set(resource.withheldNow);
        }
        for (Row row : rows) {
            double sum = 0;
            for (Node node : row.nodes()) {
                sum += usedPart(node);
            }
            row.used().set(sum / row.nodes().size());
        }
    }

    private double usedPart(Node node) {
        double most = 0;
        for (int type = 0; type < node.types().size(); type++) {
            double capacity = node.capacity(type) / capacityScale;
            if (capacity > 0) {
                most = Math.max(most, node.allocated(type) / capacity);
            }
        }
        return most;
    }

    /**
     * Returns the mean over the samples of the fragmented fraction of this resource; 0 if the nodes have none of it.
     */
    double fragmented(String type) {
        Resource resource = resources.get(type);
        return resource == null ? 0 : resource.fragmented.mean() / resource.capacity;
    }

    /** Returns the mean over the samples of the withheld fraction of this resource; 0 if the nodes have none of it. */
    double withheld(String type) {
        Resource resource = resources.get(type);
        return resource == null ? 0 : resource.withheld.mean() / resource.capacity;
    }

    /** Returns the mean over the samples of the number of slots on loan. */
    double loans() {
        return loans.mean();
    }

    List<ResourceFigures> resources(double makespanSeconds) {
        List<ResourceFigures> figures = new ArrayList<>();
        resources.forEach((name, resource) -> figures.add(new ResourceFigures(
                name,
                Math.round(resource.capacity),
                makespanSeconds == 0 ? 0 : amountSeconds[resource.type] / resource.capacity / makespanSeconds,
                resource.used.series(resource.capacity),
                resource.fragmented.series(resource.capacity),
                resource.withheld.series(resource.capacity))));
        return figures;
    }

    TimeFigures time() {
        return new TimeFigures(waiting.series(1), running.series(1));
    }

    NodeTimeline nodes() {
        return new NodeTimeline(rows.stream()
                .map(row -> new NodeTimeline.Row(
                        row.nodes().get(0).name(),
                        row.nodes().get(row.nodes().size() - 1).name(),
                        row.nodes().size(),
                        row.used().series(1)))
                .toList());
    }
}
