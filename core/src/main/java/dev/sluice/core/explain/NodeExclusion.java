package dev.sluice.core.explain;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Taint;
import dev.sluice.core.state.Node;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a task may not run on a node now, whatever its free capacity. Ordered by kind, then by subject.
 *
 * @param kind what excludes the node
 * @param subject the label, the taint, the port and so on; empty if there is none, or if many together are counted as
 *     one
 */
public record NodeExclusion(Kind kind, String subject) implements Comparable<NodeExclusion> {

    /** What excludes a node. */
    public enum Kind {
        /** It lacks a label of the node selector. */
        LABEL("label", "lacks label", "lack label", ""),
        /** It matches no required term of the node affinity. */
        AFFINITY("affinity", "does not match the node affinity", "do not match the node affinity", ""),
        /** It has a taint that the task does not tolerate. */
        TAINT("taint", "has untolerated taint", "have untolerated taint", ""),
        /** A task in its domain must be apart from the task. */
        EXCLUDED(
                "excluded",
                "has a task that must not be beside this one",
                "have a task that must not be beside this one",
                ""),
        /** The task must be apart from a task in its domain. */
        TASK_ANTI_AFFINITY(
                "pod-anti-affinity",
                "has a task that this one must not be beside",
                "have a task that this one must not be beside",
                ""),
        /** The task must be beside tasks of which none is in its domain. */
        TASK_AFFINITY(
                "pod-affinity",
                "has no task that this one must be beside",
                "have no task that this one must be beside",
                ""),
        /** There would be too many tasks in its domain. */
        SPREAD("topology-spread", "would exceed", "would exceed", ""),
        /** Another task uses a port. */
        PORT("host-port", "has host port", "have host port", " in use"),
        /** It runs as many of these tasks as it may. */
        PER_NODE("per-node", "has the maximum of", "have the maximum of", " of these tasks");

        private final String wireName;
        private final String singular;
        private final String plural;
        private final String end;

        Kind(String wireName, String singular, String plural, String end) {
            this.wireName = wireName;
            this.singular = singular;
            this.plural = plural;
            this.end = end;
        }

        /** The name in files and in the API. */
        public String wireName() {
            return wireName;
        }
    }

    /** The maximum number of different exclusions in one answer; more taints are counted together. */
    static final int KINDS_MAX = 20;

    private static final Comparator<NodeExclusion> ORDER =
            Comparator.comparing(NodeExclusion::kind).thenComparing(NodeExclusion::subject);

    /** Returns the first reason why a task may not run on this node, or null. */
    static @Nullable NodeExclusion of(Constraints constraints, Node node) {
        Map.Entry<String, String> label = constraints.missingLabel(node.labels());
        if (label != null) {
            return new NodeExclusion(Kind.LABEL, label.getKey() + "=" + label.getValue());
        }
        if (!constraints.matchesAffinity(node.name(), node.labels())) {
            return new NodeExclusion(Kind.AFFINITY, "");
        }
        Taint taint = constraints.untolerated(node.taints());
        if (taint != null) {
            return new NodeExclusion(Kind.TAINT, taint.label());
        }
        for (String key : constraints.tasks().topologyLabels()) {
            if (!node.labels().containsKey(key)) {
                return new NodeExclusion(Kind.LABEL, key);
            }
        }
        return null;
    }

    /** Returns this exclusion without what it is about. */
    NodeExclusion withoutSubject() {
        return new NodeExclusion(kind, kind == Kind.SPREAD ? "a maxSkew" : "");
    }

    /** Returns what this number of nodes lacks or has, as a verb phrase. */
    String text(int nodes) {
        String verb = nodes == 1 ? kind.singular : kind.plural;
        return switch (kind) {
            case AFFINITY, EXCLUDED, TASK_ANTI_AFFINITY, TASK_AFFINITY -> verb;
            default -> (subject.isEmpty() ? verb + "s" : verb + " " + subject) + kind.end;
        };
    }

    @Override
    public int compareTo(NodeExclusion other) {
        return ORDER.compare(this, other);
    }
}
