package dev.sluice.core.schedule;

import dev.sluice.core.share.FairShare;
import dev.sluice.core.share.LoadShare;
import dev.sluice.core.share.SharePolicy;
import dev.sluice.core.share.UsageShare;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;

/** Creates the share and sort policies that queues are configured with. */
final class ConfiguredPolicies {

    private ConfiguredPolicies() {}

    static SharePolicy sharePolicy(Queue parent, Partition partition) {
        return switch (parent.sharePolicy()) {
            case FAIR -> new FairShare(parent, partition);
            case LOAD -> new LoadShare(parent, partition);
            case USAGE -> new UsageShare(parent, partition);
        };
    }

    static LeafOrder leafOrder(Queue leaf, Partition partition) {
        return switch (leaf.sortPolicy()) {
            case FIFO -> SortedOrder.fifo(leaf, partition);
            case FAIR -> SortedOrder.fair(leaf, partition);
            case STATE_AWARE -> new StateAwareOrder(leaf);
            case FEWEST_RUNNING -> SortedOrder.fewestRunning(leaf, partition);
        };
    }
}
