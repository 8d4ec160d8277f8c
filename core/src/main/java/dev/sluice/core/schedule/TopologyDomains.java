package dev.sluice.core.schedule;

import dev.sluice.core.application.Topology;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The topology domains of the nodes of a partition, as small numbers: for each topology, the nodes with the same values
 * of its labels have the same number.
 *
 * <p>A topology is indexed when it is first asked for, and again after nodes were added, removed or changed.
 */
final class TopologyDomains {

    private final Partition partition;
    private final Map<Key, Domains> known = new HashMap<>();

    /** A topology, and the nodes that count; no labels if each node is a domain. */
    private record Key(List<String> labels, TaskCounter.Nodes nodes) {}

    TopologyDomains(Partition partition) {
        this.partition = partition;
    }

    /** Called when nodes were added, removed or changed: domains that were returned earlier are outdated. */
    void nodesChanged() {
        known.clear();
    }

    /** Returns the domains of all nodes in the topology of a key, such as {@code zone} or {@link Topology#HOST}. */
    Domains of(String key) {
        return of(key, TaskCounter.Nodes.ALL);
    }

    /** Returns the domains of the nodes that count in the topology with this key. */
    Domains of(String key, TaskCounter.Nodes nodes) {
        return of(new Key(List.of(key), nodes));
    }

    /**
     * Returns the domains of one level of a topology: the nodes with the same values of these labels, from that of the
     * widest level to that of the narrowest. A node without the last label is in no domain.
     */
    Domains ofLevel(List<String> labels) {
        return of(new Key(List.copyOf(labels), TaskCounter.Nodes.ALL));
    }

    /** Returns each node as a domain. */
    Domains ofNodes() {
        return of(new Key(List.of(), TaskCounter.Nodes.ALL));
    }

    private static @Nullable String name(List<String> labels, Node node) {
        return labels.isEmpty() ? node.name() : Topology.domain(labels, node.name(), node.labels());
    }

    private Domains of(Key key) {
        return known.computeIfAbsent(key, missing -> new Domains(missing, partition));
    }

    /** The domains of one topology, numbered from 0 in the order of their first nodes. */
    static final class Domains {

        /** The number of nodes that are in no domain. */
        static final int NONE = -1;

        private final int[] ofNode; // by the index of the node
        private final List<String> names = new ArrayList<>();
        private final boolean[] ready; // whether a domain has a ready node
        private final int readyDomains;
        private final boolean everywhere;
        private List<Integer> inOrder = List.of();

        private Domains(Key key, Partition partition) {
            ofNode = new int[partition.nodeIndexBound()];
            Arrays.fill(ofNode, NONE);
            boolean[] isReady = new boolean[ofNode.length];
            boolean allReady = true;
            int count = 0;
            Map<String, Integer> numbers = new HashMap<>();
            for (Node node : partition.nodes()) {
                String name = key.nodes.include(node) ? name(key.labels, node) : null;
                if (name != null) {
                    Integer number = numbers.putIfAbsent(name, names.size());
                    if (number == null) {
                        number = names.size();
                        names.add(name);
                    }
                    ofNode[node.index()] = number;
                    count += node.isReady() && !isReady[number] ? 1 : 0;
                    isReady[number] |= node.isReady();
                }
                allReady &= name != null || !node.isReady();
            }
            ready = Arrays.copyOf(isReady, names.size());
            readyDomains = count;
            everywhere = allReady;
        }

        /** Returns the number of the domain that a node is in, or {@link #NONE}. */
        int of(Node node) {
            return ofNode[node.index()];
        }

        /** Returns the number of the domain that the node with this index is in, or {@link #NONE}. */
        int of(int node) {
            return ofNode[node];
        }

        /** Returns the number of domains. */
        int size() {
            return ready.length;
        }

        /** Returns whether a domain has a ready node. */
        boolean isReady(int domain) {
            return ready[domain];
        }

        /** Returns the number of domains with a ready node. */
        int readyDomains() {
            return readyDomains;
        }

        /** Returns whether each ready node is in a domain. */
        boolean areEverywhere() {
            return everywhere;
        }

        /** Returns all domains in the order of their labels. */
        List<Integer> inOrder() {
            if (inOrder.size() < size()) {
                inOrder = IntStream.range(0, size())
                        .boxed()
                        .sorted(Comparator.comparing(names::get))
                        .toList();
            }
            return inOrder;
        }
    }
}
