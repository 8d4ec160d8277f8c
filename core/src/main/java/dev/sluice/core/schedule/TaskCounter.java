package dev.sluice.core.schedule;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.TaskGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The number of certain tasks in each topology domain. A task counts from its allocation until it has ended. */
final class TaskCounter {

    private static final int NONE = TopologyDomains.Domains.NONE;

    private final Subject subject;
    private TopologyDomains.@Nullable Domains domains;
    private int[] counts = {};
    private int least = -1; // or -1 if unknown
    private int domainsAtLeast;
    private long total;
    private long additions;
    private long removals;

    /** The number of equivalence classes that use it. */
    int uses;

    /** Which tasks are counted, and in which domains. */
    sealed interface Subject {}

    /**
     * Tasks that a selector selects.
     *
     * @param topologyKey the key of the topology
     * @param nodes the nodes that count
     */
    record Selected(LabelSelector selector, String topologyKey, Nodes nodes) implements Subject {}

    /** Tasks that must be apart from others: those that require this term as anti-affinity. */
    record Apart(TaskTerm term) implements Subject {}

    /** Tasks that use a port of their node. */
    record Port(HostPort port) implements Subject {}

    /** The tasks of one specification on each node. */
    record OfGroup(TaskGroup group) implements Subject {}

    /**
     * Nodes that count for a spread constraint: those in all its topologies that the task may run on.
     *
     * @param topologyKeys the keys of labels that a node must have
     * @param eligible which nodes the task may run on
     * @param honorTaints whether taints that exclude the task count
     */
    record Nodes(List<String> topologyKeys, Constraints eligible, boolean honorTaints) {

        static final Nodes ALL = new Nodes(List.of(), Constraints.NONE, false);

        boolean include(Node node) {
            return node.labels().keySet().containsAll(topologyKeys)
                    && eligible.permits(node.name(), node.labels(), honorTaints ? node.taints() : List.of());
        }
    }

    TaskCounter(Subject subject) {
        this.subject = subject;
    }

    Subject subject() {
        return subject;
    }

    /** Finds the domains again and sets all counts to 0, after nodes have changed. */
    void reset(TopologyDomains topologies) {
        TopologyDomains.Domains found = subject instanceof Selected selected
                ? topologies.of(selected.topologyKey, selected.nodes)
                : subject instanceof Apart apart ? topologies.of(apart.term.topologyKey()) : topologies.ofNodes();
        domains = found;
        counts = new int[found.size()];
        least = -1;
        total = 0;
        additions++;
        removals++;
    }

    private TopologyDomains.Domains domains() {
        TopologyDomains.Domains known = domains;
        if (known == null) {
            throw new IllegalStateException(subject + " has not been counted yet");
        }
        return known;
    }

    /** Counts one more task on a node, or one less for -1. */
    void change(Node node, int by) {
        int domain = domains().of(node);
        if (domain == NONE) {
            return;
        }
        counts[domain] += by;
        if (domains().isReady(domain)) {
            updateLeast(counts[domain] - by, counts[domain]);
        }
        total += by;
        if (by > 0) {
            additions++;
        } else {
            removals++;
        }
    }

    private void updateLeast(int before, int after) {
        if (after < least) {
            least = after;
            domainsAtLeast = 1;
        } else if (after == least) {
            domainsAtLeast++;
        } else if (before == least) {
            domainsAtLeast--;
            least = domainsAtLeast == 0 ? -1 : least;
        }
    }

    /** Returns whether the node with this index is in a domain that counts. */
    boolean counts(int node) {
        return domains().of(node) != NONE;
    }

    /** Returns the number of tasks in the domain of the node with this index; 0 if it does not count. */
    int at(int node) {
        int domain = domains().of(node);
        return domain == NONE ? 0 : counts[domain];
    }

    /** Returns whether the domain of each ready node has a task. */
    boolean hasTasksEverywhere() {
        return domains().areEverywhere() && least(0) > 0;
    }

    /** Returns the smallest number of tasks in any domain with a ready node, or 0 if there are fewer domains. */
    int least(int minDomains) {
        if (domains().readyDomains() < minDomains) {
            return 0;
        }
        if (least < 0) {
            least = Integer.MAX_VALUE;
            for (int domain = 0; domain < counts.length; domain++) {
                if (domains().isReady(domain) && counts[domain] <= least) {
                    domainsAtLeast = counts[domain] == least ? domainsAtLeast + 1 : 1;
                    least = counts[domain];
                }
            }
        }
        return least;
    }

    /** Returns the number of tasks in all domains. */
    long total() {
        return total;
    }

    /** Returns how often tasks were added. */
    long additions() {
        return additions;
    }

    /** Returns how often tasks were removed. */
    long removals() {
        return removals;
    }
}
