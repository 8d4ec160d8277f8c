package dev.sluice.kubernetes.reconciliation;

import dev.sluice.kubernetes.translation.NamespaceSettings;
import dev.sluice.kubernetes.translation.NodeDescription;
import dev.sluice.kubernetes.translation.NodeTranslation;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The latest known nodes, pods and namespaces of a cluster, and which of them have changed since they were reconciled.
 * Not thread-safe.
 */
public final class ClusterView {

    /** The order of submission: by creation, then by namespace, name and unique id. */
    private static final Comparator<ObservedPod> BY_CREATION = Comparator.comparing(ObservedPod::created)
            .thenComparing(ObservedPod::namespace)
            .thenComparing(ObservedPod::name)
            .thenComparing(ObservedPod::uid);

    private final Set<String> schedulers;
    private final SortedMap<String, NodeDescription> nodes = new TreeMap<>();
    private final SortedMap<String, NamespaceSettings> namespaces = new TreeMap<>();
    private final Map<String, ObservedPod> pods = new HashMap<>();
    private final SortedMap<String, SortedSet<ObservedPod>> podsByNode = new TreeMap<>();
    private final SortedMap<String, SortedSet<ObservedPod>> podsByApplication = new TreeMap<>();
    private final SortedSet<String> changedNodes = new TreeSet<>();
    private final SortedSet<String> changedApplications = new TreeSet<>();

    /**
     * Creates an empty view.
     *
     * @param schedulers the names by which pods name this scheduler
     */
    public ClusterView(Set<String> schedulers) {
        this.schedulers = Set.copyOf(schedulers);
    }

    /** Adds or replaces a node. */
    public void put(Node node) {
        NodeDescription described = NodeTranslation.describe(node);
        if (!described.equals(nodes.put(described.name(), described))) {
            changedNodes.add(described.name());
        }
    }

    /** Removes a node. */
    public void removeNode(String name) {
        if (nodes.remove(name) != null) {
            changedNodes.add(name);
        }
    }

    /** Adds or replaces a namespace. What is submitted later has its new tags. */
    public void put(Namespace namespace) {
        NamespaceSettings settings = NamespaceSettings.of(namespace);
        namespaces.put(settings.name(), settings);
    }

    /** Removes a namespace. */
    public void removeNamespace(String name) {
        namespaces.remove(name);
    }

    /** Adds or replaces a pod. */
    public void put(Pod pod) {
        ObservedPod observed = ObservedPod.of(pod, schedulers);
        ObservedPod known = pods.get(observed.uid());
        if (!observed.equals(known)) {
            remove(known);
            pods.put(observed.uid(), observed);
            add(podsByApplication, observed.application(), observed);
            add(podsByNode, occupied(observed), observed);
            changed(observed);
        }
    }

    /** Removes a pod. */
    public void removePod(String uid) {
        remove(pods.remove(uid));
    }

    private void remove(@Nullable ObservedPod pod) {
        if (pod != null) {
            remove(podsByApplication, pod.application(), pod);
            remove(podsByNode, occupied(pod), pod);
            changed(pod);
        }
    }

    private void changed(ObservedPod pod) {
        String node = occupied(pod);
        String application = pod.application();
        if (node != null) {
            changedNodes.add(node);
        }
        if (application != null) {
            changedApplications.add(application);
        }
    }

    private static @Nullable String occupied(ObservedPod pod) {
        return pod.stage() == ObservedPod.Stage.BOUND ? pod.node() : null;
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

    /** Records that the state of a node's tasks has changed, so that other pods may occupy it now. */
    public void touchNode(String name) {
        changedNodes.add(name);
    }

    /** Records that the state of an application has changed. */
    public void touchApplication(String id) {
        changedApplications.add(id);
    }

    /** Returns the nodes that have changed since the last call, by name. */
    public List<String> takeChangedNodes() {
        List<String> taken = List.copyOf(changedNodes);
        changedNodes.clear();
        return taken;
    }

    /** Returns the applications whose pods have changed since the last call, by id. */
    public List<String> takeChangedApplications() {
        List<String> taken = List.copyOf(changedApplications);
        changedApplications.clear();
        return taken;
    }

    /** Returns the names of all nodes. */
    public Collection<String> nodeNames() {
        return List.copyOf(nodes.keySet());
    }

    /** Returns the ids of all applications that have pods. */
    public Collection<String> applicationIds() {
        return List.copyOf(podsByApplication.keySet());
    }

    /** Returns a node as if no pod used it, or null. */
    @Nullable NodeDescription node(String name) {
        return nodes.get(name);
    }

    /** Returns the pods that occupy a node. */
    Collection<ObservedPod> podsOn(String node) {
        Collection<ObservedPod> found = podsByNode.get(node);
        return found == null ? List.of() : found;
    }

    /** Returns the pods of an application in the order of their creation. */
    Collection<ObservedPod> podsOf(String application) {
        Collection<ObservedPod> found = podsByApplication.get(application);
        return found == null ? List.of() : found;
    }

    /**
     * Returns the application with pods that follows another one in the order of ids, or null.
     *
     * @param id the other one, which may be gone; null for the first
     */
    public @Nullable String applicationAfter(@Nullable String id) {
        SortedMap<String, ?> rest = id == null ? podsByApplication : podsByApplication.tailMap(id + '\0');
        return rest.isEmpty() ? null : rest.firstKey();
    }

    /**
     * Returns the pod of an application that follows another one in the order of creation, or null.
     *
     * @param pod the other one, which may be gone; null for the first
     */
    public @Nullable ObservedPod podAfter(String application, @Nullable ObservedPod pod) {
        SortedSet<ObservedPod> all = podsByApplication.get(application);
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

    /** Returns the tags of the applications of a namespace. */
    SortedMap<String, String> tags(String namespace) {
        NamespaceSettings settings = namespaces.get(namespace);
        return settings == null ? new TreeMap<>(Map.of("namespace", namespace)) : settings.tags();
    }
}
