package dev.sluice.core.schedule;

import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The expected capacity of nodes, remembered until their tasks change or an expected end has passed.
 *
 * <p>Starts of tasks are only reported while there are reservations, so at the start of a cycle without any, all is
 * forgotten.
 */
final class NodeForecasts {

    private final Partition partition;
    private @Nullable ExpectedCapacity[] byIndex = {};
    private Instant now = Instant.MIN;

    NodeForecasts(Partition partition) {
        this.partition = partition;
    }

    /** Begins a cycle at this time. */
    void begin(Instant at) {
        if (partition.reservations().isEmpty() || at.isBefore(now)) {
            forgetAll();
        }
        now = at;
    }

    /** Called when all nodes, or the durations of tasks on them, may have changed. */
    void forgetAll() {
        byIndex = new @Nullable ExpectedCapacity[0];
    }

    /** Called when the tasks on these nodes have changed. */
    void forget(List<Node> nodes) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).index() < byIndex.length) {
                byIndex[nodes.get(i).index()] = null;
            }
        }
    }

    ExpectedCapacity of(Node node) {
        if (node.index() >= byIndex.length) {
            byIndex = Arrays.copyOf(byIndex, partition.nodeIndexBound());
        }
        ExpectedCapacity known = byIndex[node.index()];
        if (known == null || !known.holdsAt(now)) {
            known = ExpectedCapacity.of(node, partition.types().size(), now);
            byIndex[node.index()] = known;
        }
        return known;
    }
}
