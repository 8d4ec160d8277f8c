package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.Taint;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node as the scheduler knows it.
 *
 * @param name the name
 * @param capacity what pods can use, with the maximum number of pods as slots
 * @param labels the labels
 * @param taints the taints, including those for conditions that exclude pods
 */
public record NodeDescription(String name, Resources capacity, SortedMap<String, String> labels, List<Taint> taints) {

    /** Copies map and list. */
    public NodeDescription {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        taints = List.copyOf(taints);
    }

    /**
     * Returns it without what other pods occupy, at least nothing.
     *
     * @param occupied what all pods that are not tasks request
     * @param pods the number of these pods
     */
    public NodeDescription without(Resources occupied, long pods) {
        Resources all = occupied.plus(Resources.of(ResourceTypes.SLOTS, pods));
        SortedMap<String, Amount> free = new TreeMap<>();
        capacity.amounts().forEach((type, amount) -> free.put(type, amount.minus(all.amount(type))));
        return new NodeDescription(name, Resources.of(free), labels, taints);
    }
}
