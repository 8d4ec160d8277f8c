package dev.sluice.core.application;

import java.util.SortedMap;

/**
 * A preference for nodes that match a term; one without conditions prefers nothing.
 *
 * @param weight how much it counts, from {@value #WEIGHT_MIN} to {@value #WEIGHT_MAX}
 * @param preference what nodes must match
 */
public record NodePreference(int weight, NodeSelectorTerm preference) {

    /** The smallest weight. */
    public static final int WEIGHT_MIN = 1;

    /** The largest weight. */
    public static final int WEIGHT_MAX = 100;

    /** Throws {@link IllegalArgumentException} if the weight is out of range. */
    public NodePreference {
        if (weight < WEIGHT_MIN || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException("weight must be between " + WEIGHT_MIN + " and " + WEIGHT_MAX);
        }
    }

    /** Returns its weight if a node with this name and these labels matches, otherwise 0. */
    public int score(String node, SortedMap<String, String> labels) {
        return preference.matches(node, labels) ? weight : 0;
    }
}
