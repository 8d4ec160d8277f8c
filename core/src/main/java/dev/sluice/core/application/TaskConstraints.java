package dev.sluice.core.application;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where a task may run with regard to other tasks, with the words and the meaning of Kubernetes. A task counts on its
 * node from its allocation until it has ended.
 *
 * @param labels its own labels, by which others select it
 * @param affinity which tasks it must or should be beside
 * @param antiAffinity which tasks it must or should be apart from; tasks that these terms select do not start beside
 *     it, either
 * @param spread how evenly it is spread over domains
 * @param ports the ports of the node that it uses alone
 * @param perNode the maximum number of tasks of its specification on one node; 0 for any number
 */
public record TaskConstraints(
        SortedMap<String, String> labels,
        TaskAffinity affinity,
        TaskAffinity antiAffinity,
        List<TopologySpread> spread,
        List<HostPort> ports,
        int perNode) {

    /** No label and no constraint. */
    public static final TaskConstraints NONE =
            new TaskConstraints(TextMap.EMPTY, TaskAffinity.NONE, TaskAffinity.NONE, List.of(), List.of(), 0);

    /** The maximum number of labels, terms, preferences, spread constraints or ports. */
    public static final int SIZE_MAX = 100;

    /** Copies map and lists; throws {@link IllegalArgumentException} if the number per node is negative. */
    public TaskConstraints {
        labels = TextMap.copyOf(labels);
        spread = List.copyOf(spread);
        ports = List.copyOf(ports);
        if (perNode < 0) {
            throw new IllegalArgumentException("the number of tasks per node must not be negative");
        }
    }

    /** Returns whether there are neither labels nor constraints. */
    public boolean isEmpty() {
        return labels.isEmpty() && isUnconstrained();
    }

    /** Returns whether it has at most labels. */
    public boolean isUnconstrained() {
        return affinity.isEmpty() && antiAffinity.isEmpty() && spread.isEmpty() && ports.isEmpty() && perNode == 0;
    }

    /** Returns it with these labels instead. */
    public TaskConstraints withLabels(Map<String, String> newLabels) {
        return new TaskConstraints(TextMap.copyOf(newLabels), affinity, antiAffinity, spread, ports, perNode);
    }

    /** Returns it with this affinity instead. */
    public TaskConstraints withAffinity(TaskAffinity newAffinity) {
        return new TaskConstraints(labels, newAffinity, antiAffinity, spread, ports, perNode);
    }

    /** Returns it with this anti-affinity instead. */
    public TaskConstraints withAntiAffinity(TaskAffinity newAntiAffinity) {
        return new TaskConstraints(labels, affinity, newAntiAffinity, spread, ports, perNode);
    }

    /** Returns it with these spread constraints instead. */
    public TaskConstraints withSpread(List<TopologySpread> newSpread) {
        return new TaskConstraints(labels, affinity, antiAffinity, newSpread, ports, perNode);
    }

    /** Returns it with these ports instead. */
    public TaskConstraints withPorts(List<HostPort> newPorts) {
        return new TaskConstraints(labels, affinity, antiAffinity, spread, newPorts, perNode);
    }

    /** Returns it with this maximum number of tasks per node instead. */
    public TaskConstraints withPerNode(int newPerNode) {
        return new TaskConstraints(labels, affinity, antiAffinity, spread, ports, newPerNode);
    }

    /** Returns the keys of the labels that a node must have because of a topology, without duplicates. */
    public List<String> topologyLabels() {
        if (affinity.required().isEmpty() && spread.isEmpty()) {
            return List.of();
        }
        SortedSet<String> keys = new TreeSet<>();
        affinity.required().forEach(term -> keys.add(term.topologyKey()));
        spread.stream().filter(TopologySpread::required).forEach(each -> keys.add(each.topologyKey()));
        keys.remove(Topology.HOST);
        return List.copyOf(keys);
    }

    /** Returns whether it requires to be beside tasks with these labels; such a task must not end for its sake. */
    public boolean requires(SortedMap<String, String> otherLabels) {
        for (TaskTerm term : affinity.required()) {
            if (term.selector().matches(otherLabels)) {
                return true;
            }
        }
        return false;
    }
}
