package dev.sluice.core.schedule;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.state.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rank of each node for tasks with the same preferences and tolerations, whose equivalence classes share it.
 *
 * <p>Ranks are computed once for each {@link NodeOrder}, that is again after nodes were added, removed or changed.
 */
final class NodeRanks {

    private static final long[] EQUAL = {};

    private final Constraints constraints;
    private @Nullable NodeOrder order;
    private long[] ranks = EQUAL;
    private long highest;

    /** The number of classes that share it. It is forgotten when it reaches 0. */
    int uses;

    /** The nodes of one of the ranks, in the order for which ranks were computed last; null if there is no need. */
    @Nullable RankGroup group;

    /** The number of ranks computed so far. */
    long computed;

    /** The number of ranks that searches have compared so far. */
    long compared;

    /** What ranks depend on. */
    record Key(List<NodePreference> preferences, List<Toleration> tolerations) {

        static Key of(Constraints constraints) {
            return new Key(constraints.nodeAffinity().preferred(), constraints.tolerations());
        }
    }

    /** Creates the ranks for tasks with these constraints, of which only those in the key count. */
    NodeRanks(Constraints constraints) {
        this.constraints = constraints;
    }

    /**
     * Computes the ranks of the nodes of an order, unless they are known.
     *
     * @param nodes the nodes by number
     * @param avoided whether any of them has a taint {@code PreferNoSchedule}
     */
    void update(NodeOrder newOrder, Node[] nodes, boolean avoided) {
        if (order != newOrder) {
            order = newOrder;
            group = null;
            boolean mayDiffer =
                    avoided || !constraints.nodeAffinity().preferred().isEmpty();
            ranks = mayDiffer ? rank(nodes) : EQUAL;
        }
    }

    private long[] rank(Node[] nodes) {
        long[] found = new long[nodes.length];
        long lowest = Long.MAX_VALUE;
        highest = Long.MIN_VALUE;
        for (int number = 0; number < nodes.length; number++) {
            Node node = nodes[number];
            found[number] = constraints.rank(node.name(), node.labels(), node.taints());
            lowest = Math.min(lowest, found[number]);
            highest = Math.max(highest, found[number]);
        }
        computed += nodes.length;
        return lowest < highest ? found : EQUAL;
    }

    /** Returns whether all nodes have the same rank. */
    boolean areEqual() {
        return ranks.length == 0;
    }

    /** Returns the rank of the node with this number. Only defined if ranks are not equal. */
    long of(int number) {
        compared++;
        return ranks[number];
    }

    /** Returns whether the node with this number has this rank. Only defined if ranks are not equal. */
    boolean isOf(int number, long rank) {
        return ranks[number] == rank;
    }

    /** Returns the highest rank of any node. Only defined if ranks are not equal. */
    long highest() {
        return highest;
    }
}
