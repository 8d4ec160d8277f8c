package dev.sluice.core.application;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a task may run on and which it prefers, with the words and the meaning of Kubernetes.
 *
 * <p>A node is eligible if it has the labels of the selector, matches a required term of the affinity, and has no
 * taint {@code NoSchedule} or {@code NoExecute} that the task does not tolerate. Among eligible nodes with room, those
 * with the highest {@link #rank} come first; the node sort policy decides between equal ranks.
 *
 * @param nodeSelector labels that a node must have with these values
 * @param nodeAffinity which nodes it requires and prefers
 * @param tolerations the taints that it tolerates
 * @param tasks where it may run with regard to other tasks
 */
public record Constraints(
        SortedMap<String, String> nodeSelector,
        NodeAffinity nodeAffinity,
        List<Toleration> tolerations,
        TaskConstraints tasks) {

    /** Any node without taints. */
    public static final Constraints NONE = new Constraints(TextMap.EMPTY, NodeAffinity.NONE, List.of());

    /** The rank of one taint that a task should avoid, more than that of all preferences together. */
    private static final long AVOIDED = 1L << 32;

    /** Copies map and list. */
    public Constraints {
        nodeSelector = TextMap.copyOf(nodeSelector);
        tolerations = List.copyOf(tolerations);
    }

    /** Creates constraints on nodes alone. */
    public Constraints(
            SortedMap<String, String> nodeSelector, NodeAffinity nodeAffinity, List<Toleration> tolerations) {
        this(nodeSelector, nodeAffinity, tolerations, TaskConstraints.NONE);
    }

    /** Returns the constraint that a node has these labels. */
    public static Constraints ofSelector(Map<String, String> labels) {
        return labels.isEmpty() ? NONE : new Constraints(TextMap.copyOf(labels), NodeAffinity.NONE, List.of());
    }

    /** Returns whether it constrains nothing. */
    public boolean isEmpty() {
        return nodeSelector.isEmpty() && nodeAffinity.isEmpty() && tolerations.isEmpty() && tasks.isEmpty();
    }

    /** Returns it with this affinity instead. */
    public Constraints withNodeAffinity(NodeAffinity affinity) {
        return new Constraints(nodeSelector, affinity, tolerations, tasks);
    }

    /** Returns it with these tolerations instead. */
    public Constraints withTolerations(List<Toleration> newTolerations) {
        return new Constraints(nodeSelector, nodeAffinity, newTolerations, tasks);
    }

    /** Returns it without node selector and node affinity. */
    public Constraints withoutNodeSelection() {
        return new Constraints(TextMap.EMPTY, NodeAffinity.NONE, tolerations, tasks);
    }

    /** Returns it with these constraints with regard to other tasks instead. */
    public Constraints withTasks(TaskConstraints newTasks) {
        return new Constraints(nodeSelector, nodeAffinity, tolerations, newTasks);
    }

    /** Returns whether a node with this name, these labels and taints is eligible, whatever tasks run on others. */
    public boolean permits(String node, SortedMap<String, String> labels, List<Taint> taints) {
        return missingLabel(labels) == null
                && matchesAffinity(node, labels)
                && untolerated(taints) == null
                && labels.keySet().containsAll(tasks.topologyLabels());
    }

    /** Returns the first label of the selector that is not among these, or null. */
    public Map.@Nullable Entry<String, String> missingLabel(SortedMap<String, String> labels) {
        if (!nodeSelector.isEmpty()) {
            for (Map.Entry<String, String> label : nodeSelector.entrySet()) {
                if (!label.getValue().equals(labels.get(label.getKey()))) {
                    return label;
                }
            }
        }
        return null;
    }

    /** Returns whether a node with this name and these labels matches a required term, if there are any. */
    public boolean matchesAffinity(String node, SortedMap<String, String> labels) {
        List<NodeSelectorTerm> terms = nodeAffinity.required();
        return terms.isEmpty() || terms.stream().anyMatch(term -> term.matches(node, labels));
    }

    /** Returns the first taint because of which the task must not start on a node, or null. */
    public @Nullable Taint untolerated(List<Taint> taints) {
        for (Taint taint : taints) {
            if (taint.effect().excludes() && !toleratesForEver(taint)) {
                return taint;
            }
        }
        return null;
    }

    private boolean toleratesForEver(Taint taint) {
        for (Toleration toleration : tolerations) {
            if (toleration.limit() == null && toleration.tolerates(taint)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the rank of a node, higher ones first: fewest taints {@code PreferNoSchedule} that the task does not
     * tolerate, then the largest sum of the weights of its preferences that the node matches.
     */
    public long rank(String node, SortedMap<String, String> labels, List<Taint> taints) {
        long rank = 0;
        for (Taint taint : taints) {
            rank -= taint.effect().excludes() || toleratesForEver(taint) ? 0 : AVOIDED;
        }
        for (NodePreference preference : nodeAffinity.preferred()) {
            rank += preference.score(node, labels);
        }
        return rank;
    }

    /**
     * Returns when a running task must leave a node because of these taints, or null if it may stay: the first instant
     * at which the node has a taint {@code NoExecute} that the task does not tolerate, or no longer. Of several
     * tolerations the longest counts.
     */
    public @Nullable Instant leavesAt(List<Taint> taints) {
        Instant first = null;
        for (Taint taint : taints) {
            Instant added = taint.timeAdded();
            if (added != null && !toleratesForEver(taint)) {
                Instant leaves = Deadline.after(added, longest(taint));
                first = first == null || leaves.isBefore(first) ? leaves : first;
            }
        }
        return first;
    }

    private Duration longest(Taint taint) {
        Duration longest = Duration.ZERO;
        for (Toleration toleration : tolerations) {
            Duration limit = toleration.limit();
            if (limit != null && limit.compareTo(longest) > 0 && toleration.tolerates(taint)) {
                longest = limit;
            }
        }
        return longest;
    }

    /** The hash of the selector is cached; lists are rarely there. */
    @Override
    public int hashCode() {
        int hash = nodeSelector.isEmpty() ? 0 : nodeSelector.hashCode();
        hash = 31 * hash + (nodeAffinity.isEmpty() ? 0 : nodeAffinity.hashCode());
        hash = 31 * hash + (tolerations.isEmpty() ? 0 : tolerations.hashCode());
        return 31 * hash + (tasks.isEmpty() ? 0 : tasks.hashCode());
    }
}
