package dev.sluice.kubernetes.reconciliation;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Pods by unique id, node, application and task. Not thread-safe. */
final class PodIndex {

    /** The order of submission: by creation, then by namespace, name and unique id. */
    private static final Comparator<ObservedPod> BY_CREATION = Comparator.comparing(ObservedPod::created)
            .thenComparing(ObservedPod::namespace)
            .thenComparing(ObservedPod::name)
            .thenComparing(ObservedPod::uid);

    private final Map<String, ObservedPod> byUid = new HashMap<>();
    private final SortedMap<String, SortedSet<ObservedPod>> byNode = new TreeMap<>();
    private final SortedMap<String, SortedSet<ObservedPod>> byApplication = new TreeMap<>();
    private final SortedMap<String, SortedSet<ObservedPod>> ofGangs = new TreeMap<>();
    private final Map<TaskKey, ObservedPod> byTask = new HashMap<>();

    /** Returns a pod by its unique id, or null. */
    @Nullable ObservedPod get(String uid) {
        return byUid.get(uid);
    }

    /** Adds or replaces a pod. */
    void put(ObservedPod pod) {
        remove(pod.uid());
        byUid.put(pod.uid(), pod);
        add(byApplication, pod.application(), pod);
        add(byNode, pod.occupied(), pod);
        add(ofGangs, pod.taskGroup() == null ? null : pod.application(), pod);
        TaskKey task = pod.task();
        if (task != null) {
            byTask.putIfAbsent(task, pod); // only the first of several with the same place takes it
        }
    }

    /** Removes a pod by its unique id, and returns it; null if there is none. */
    @Nullable ObservedPod remove(String uid) {
        ObservedPod known = byUid.remove(uid);
        if (known != null) {
            remove(byApplication, known.application(), known);
            remove(byNode, known.occupied(), known);
            remove(ofGangs, known.taskGroup() == null ? null : known.application(), known);
            TaskKey task = known.task();
            if (task != null) {
                byTask.remove(task, known);
            }
        }
        return known;
    }

    /** Returns the pod of a task, or null. */
    @Nullable ObservedPod ofTask(TaskKey task) {
        return byTask.get(task);
    }

    /** Returns the pods that occupy a node. */
    Collection<ObservedPod> on(String node) {
        Collection<ObservedPod> found = byNode.get(node);
        return found == null ? List.of() : found;
    }

    /** Returns the pods of an application in the order of their creation. */
    Collection<ObservedPod> of(String application) {
        Collection<ObservedPod> found = byApplication.get(application);
        return found == null ? List.of() : found;
    }

    /** Returns the pods of an application that belong to a task group, in the order of their creation. */
    Collection<ObservedPod> ofGang(String application) {
        Collection<ObservedPod> found = ofGangs.get(application);
        return found == null ? List.of() : found;
    }

    /** Returns the ids of all applications that have pods. */
    Collection<String> applicationIds() {
        return List.copyOf(byApplication.keySet());
    }

    /** Returns the application that follows another one, which may be gone, or null; of null the first. */
    @Nullable String applicationAfter(@Nullable String id) {
        SortedMap<String, ?> rest = id == null ? byApplication : byApplication.tailMap(id + '\0');
        return rest.isEmpty() ? null : rest.firstKey();
    }

    /** Returns the pod of an application that follows another one, which may be gone, or null; of null the first. */
    @Nullable ObservedPod after(String application, @Nullable ObservedPod pod) {
        SortedSet<ObservedPod> all = byApplication.get(application);
        if (all == null) {
            return null;
        }
        for (ObservedPod next : pod == null ? all : all.tailSet(pod)) {
            if (pod == null || BY_CREATION.compare(next, pod) != 0) {
                return next;
            }
        }
        return null;
    }

    private static void add(SortedMap<String, SortedSet<ObservedPod>> index, @Nullable String key, ObservedPod pod) {
        if (key != null) {
            index.computeIfAbsent(key, each -> new TreeSet<>(BY_CREATION)).add(pod);
        }
    }

    private static void remove(SortedMap<String, SortedSet<ObservedPod>> index, @Nullable String key, ObservedPod pod) {
        SortedSet<ObservedPod> indexed = key == null ? null : index.get(key);
        if (indexed != null && indexed.remove(pod) && indexed.isEmpty()) {
            index.remove(key);
        }
    }
}
