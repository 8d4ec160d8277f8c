package dev.sluice.core.schedule;

import dev.sluice.core.share.FairShare;
import dev.sluice.core.share.LoadShare;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.share.UsageShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;

/** Makes the policies that queues are configured with. */
final class ConfiguredPolicies {

    private ConfiguredPolicies() {}

    /** How this parent divides what is free among its children. */
    static SharePolicy sharePolicy(Queue parent, Partition partition) {
        return switch (parent.sharePolicy()) {
            case FAIR -> new FairShare(parent, partition);
            case LOAD -> new LoadShare(parent, partition);
            case USAGE -> new UsageShare(parent, partition);
        };
    }

    /** The order of this leaf's applications. */
    static LeafOrder leafOrder(Queue leaf, Partition partition) {
        return switch (leaf.sortPolicy()) {
            case FIFO -> SortedOrder.fifo(leaf, partition);
            case FAIR -> SortedOrder.fair(leaf, partition);
            case STATE_AWARE -> new StateAwareOrder(leaf);
            case FEWEST_RUNNING -> SortedOrder.fewestRunning(leaf, partition);
        };
    }
}
