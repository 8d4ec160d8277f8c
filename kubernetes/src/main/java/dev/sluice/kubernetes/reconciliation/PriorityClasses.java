package dev.sluice.kubernetes.reconciliation;

import dev.sluice.kubernetes.translation.PodTranslation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The priority classes of a cluster, and the unique ids of the pods that name them and are not bound. */
final class PriorityClasses {

    private final Map<String, PriorityClass> byName = new HashMap<>();
    private final Map<String, String> nameByPod = new HashMap<>();
    private final Map<String, SortedSet<String>> podsByName = new HashMap<>();

    /** Adds or replaces a class; returns the pods that are translated otherwise now, by unique id. */
    Collection<String> put(PriorityClass priorityClass) {
        PriorityClass former = byName.put(priorityClass.getMetadata().getName(), priorityClass);
        boolean before = former == null || PodTranslation.allowsPreemption(former);
        return before == PodTranslation.allowsPreemption(priorityClass)
                ? List.of()
                : podsOf(priorityClass.getMetadata().getName());
    }

    /** Removes a class; returns the pods that are translated otherwise now, by unique id. */
    Collection<String> remove(String name) {
        PriorityClass former = byName.remove(name);
        return former == null || PodTranslation.allowsPreemption(former) ? List.of() : podsOf(name);
    }

    /** Returns the class of a pod, or null. */
    @Nullable PriorityClass of(Pod pod) {
        String name = pod.getSpec().getPriorityClassName();
        return name == null ? null : byName.get(name);
    }

    /** Remembers the class of a pod that is to be scheduled. */
    void add(Pod pod) {
        String uid = pod.getMetadata().getUid();
        String name = pod.getSpec().getPriorityClassName();
        removePod(uid);
        if (name != null && !name.isEmpty()) {
            nameByPod.put(uid, name);
            podsByName.computeIfAbsent(name, each -> new TreeSet<>()).add(uid);
        }
    }

    void removePod(String uid) {
        String name = nameByPod.remove(uid);
        if (name != null) {
            podsByName.computeIfPresent(name, (each, uids) -> {
                uids.remove(uid);
                return uids.isEmpty() ? null : uids;
            });
        }
    }

    private Collection<String> podsOf(String name) {
        SortedSet<String> uids = podsByName.get(name);
        return uids == null ? List.of() : List.copyOf(uids);
    }
}
