package dev.sluice.kubernetes.reconciliation;

import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.translation.NamespaceSettings;
import dev.sluice.kubernetes.translation.NodeDescription;
import dev.sluice.kubernetes.translation.NodeTranslation;
import dev.sluice.kubernetes.translation.PodTranslation;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The latest known nodes, pods and namespaces of a cluster, with the classes and volumes that pods refer to, and which
 * of them have changed since they were reconciled. Not thread-safe.
 */
public final class ClusterView {

    private final Set<String> schedulers;
    private final @Nullable PodPolicy policy;
    private final SortedMap<String, NodeDescription> nodes = new TreeMap<>();
    private final SortedMap<String, NamespaceSettings> namespaces = new TreeMap<>();
    private final PriorityClasses priorityClasses = new PriorityClasses();
    private final ClusterVolumes volumes = new ClusterVolumes();
    private final PodIndex pods = new PodIndex();
    private final PodsInTransit transit = new PodsInTransit();
    private final ViewChanges changes = new ViewChanges();
    private final RunPods runs = new RunPods(changes::touchTask);

    /**
     * Creates an empty view.
     *
     * @param schedulers the names by which pods name this scheduler
     */
    public ClusterView(Set<String> schedulers) {
        this(schedulers, null);
    }

    /**
     * Creates an empty view.
     *
     * @param schedulers the names by which pods name this scheduler
     * @param policy which pods are created for tasks; null for none
     */
    public ClusterView(Set<String> schedulers, @Nullable PodPolicy policy) {
        this.schedulers = Set.copyOf(schedulers);
        this.policy = policy;
    }

    /** Adds or replaces a node. */
    public void put(Node node) {
        NodeDescription described = NodeTranslation.describe(node);
        if (!described.equals(nodes.put(described.name(), described))) {
            changes.touchNode(described.name());
        }
    }

    /** Removes a node. */
    public void removeNode(String name) {
        if (nodes.remove(name) != null) {
            changes.touchNode(name);
        }
    }

    /**
     * Adds or replaces a namespace. What is submitted later has its new tags; its quotas are those of present queues,
     * too.
     */
    public void put(Namespace namespace) {
        NamespaceSettings settings = NamespaceSettings.of(namespace);
        if (!settings.equals(namespaces.put(settings.name(), settings))) {
            changes.touchNamespace(settings.name());
        }
    }

    /** Removes a namespace. */
    public void removeNamespace(String name) {
        if (namespaces.remove(name) != null) {
            changes.touchNamespace(name);
        }
    }

    /**
     * Adds or replaces a priority class. Pods that are submitted later may be preempted unless it is annotated
     * otherwise.
     */
    public void put(PriorityClass priorityClass) {
        allowPreemption(priorityClasses.put(priorityClass), PodTranslation.allowsPreemption(priorityClass));
    }

    /** Removes a priority class. */
    public void removePriorityClass(String name) {
        allowPreemption(priorityClasses.remove(name), true);
    }

    private void allowPreemption(Collection<String> uids, boolean allowed) {
        for (String uid : uids) {
            ObservedPod pod = pods.get(uid);
            PodTranslation translation = pod == null ? null : pod.translation();
            if (pod != null && translation != null) {
                put(pod.withTranslation(translation.withPreemptible(allowed)));
            }
        }
    }

    /** Adds or replaces a claim. */
    public void put(PersistentVolumeClaim claim) {
        volumes.put(claim).forEach(this::observe);
    }

    /** Removes a claim. */
    public void removeClaim(String namespace, String name) {
        volumes.removeClaim(namespace, name).forEach(this::observe);
    }

    /** Adds or replaces a volume. */
    public void put(PersistentVolume volume) {
        volumes.put(volume).forEach(this::observe);
    }

    /** Removes a volume. */
    public void removeVolume(String name) {
        volumes.removeVolume(name).forEach(this::observe);
    }

    /** Adds or replaces a storage class. */
    public void put(StorageClass storageClass) {
        volumes.put(storageClass).forEach(this::observe);
    }

    /** Removes a storage class. */
    public void removeStorageClass(String name) {
        volumes.removeStorageClass(name).forEach(this::observe);
    }

    /** Returns the names of the claims of a pod. */
    public List<String> claimsOf(String uid) {
        return volumes.claimsOf(uid);
    }

    /** Adds or replaces a pod. */
    public void put(Pod pod) {
        ObservedPod.Stage stage = ObservedPod.stage(pod);
        boolean bound = stage == ObservedPod.Stage.BOUND || stage == ObservedPod.Stage.ENDED;
        if (bound || PodTranslation.decidesPreemption(pod)) {
            priorityClasses.removePod(pod.getMetadata().getUid());
        } else {
            priorityClasses.add(pod);
        }
        Collection<Pod> rivals = volumes.put(pod, stage == ObservedPod.Stage.ENDED);
        observe(pod);
        rivals.forEach(this::observe);
    }

    private void observe(Pod pod) {
        put(ObservedPod.of(pod, schedulers, policy, priorityClasses.of(pod), volumes));
    }

    private void put(ObservedPod pod) {
        ObservedPod observed = transit.withAssumption(pod);
        ObservedPod known = pods.get(observed.uid());
        if (observed.equals(known)) {
            return;
        }
        pods.put(observed);
        if (observed.run() != null) {
            runs.observe(observed.run(), observed);
        }
        changed(known, observed);
    }

    /** Removes a pod. */
    public void removePod(String uid) {
        priorityClasses.removePod(uid);
        Collection<Pod> rivals = volumes.removePod(uid);
        ObservedPod known = pods.remove(uid);
        transit.forget(uid);
        if (known != null) {
            if (known.run() != null) {
                runs.remove(known.run(), known);
            }
            changed(known, null);
        }
        rivals.forEach(this::observe);
    }

    /** Records that a pod is being bound; returns false if that was known. */
    public boolean beginBinding(String uid) {
        return transit.beginBinding(uid);
    }

    /** Records that a pod is being bound to take a place in a gang; returns the place. */
    public String takePlace(GangPlaces.Taken taken) {
        ObservedPod pod = taken.pod();
        String place = GangPlaces.place(taken.task());
        transit.takePlace(pod.uid(), place);
        put(pod);
        return place;
    }

    /** Records the end of a binding: the node to which the pod is bound, or null if it failed. */
    public void endBinding(String uid, @Nullable String node) {
        ObservedPod known = pods.get(uid);
        boolean isPending = known != null && known.stage() == ObservedPod.Stage.PENDING;
        boolean isOther = transit.endBinding(uid, isPending ? node : null);
        if (known != null && isPending && isOther) {
            put(known);
        } else if (known != null) {
            changed(known, known);
        }
    }

    /** Returns whether a pod is being bound. */
    public boolean isBinding(String uid) {
        return transit.isBinding(uid);
    }

    /** Records that the end of a pod is requested; returns false if that was known. */
    public boolean beginEnding(String uid) {
        return transit.beginEnding(uid);
    }

    /** Records that a pod could not be ended, so that it is tried again. */
    public void failEnding(String uid) {
        transit.failEnding(uid);
        ObservedPod known = pods.get(uid);
        if (known != null) {
            changed(known, known);
        }
    }

    /** Records what prevents the end of a pod that is requested, such as a disruption budget; empty for nothing. */
    public void delayEnding(String uid, String reason) {
        transit.delayEnding(uid, reason);
    }

    /** Returns what prevents the ends of pods on a node, each reason once. */
    public SortedSet<String> delaysOn(String node) {
        SortedSet<String> reasons = new TreeSet<>();
        for (ObservedPod pod : podsOn(node)) {
            reasons.add(transit.delay(pod.uid()));
        }
        reasons.remove("");
        return reasons;
    }

    /**
     * Records what has to be compared again. An application is compared as a whole, so it is spared the changes of pods
     * that have a node.
     */
    private void changed(@Nullable ObservedPod before, @Nullable ObservedPod after) {
        boolean waited = changed(before);
        boolean waits = changed(after);
        boolean isOwnBinding = waited && !waits && after != null && transit.isOwnBinding(after.uid());
        if ((waited || waits) && !isOwnBinding) {
            touchApplicationOf(before);
            touchApplicationOf(after);
        }
    }

    /** Records what has to be compared because of one pod; returns whether the pod has no node yet. */
    private boolean changed(@Nullable ObservedPod pod) {
        if (pod == null) {
            return false;
        }
        String node = pod.occupied();
        TaskKey task = pod.task();
        if (node != null) {
            changes.touchNode(node);
        }
        if (task != null) {
            changes.touchTask(task);
        }
        if (pod.run() != null) {
            changes.touchTask(RunPods.key(pod.run()));
        }
        return pod.stage() == ObservedPod.Stage.PENDING || pod.stage() == ObservedPod.Stage.GATED;
    }

    private void touchApplicationOf(@Nullable ObservedPod pod) {
        String application = pod == null ? null : pod.application();
        if (application != null) {
            changes.touchApplication(application);
        }
    }

    /** Records that a task of an application has changed, which may have pods that take places in its gang. */
    void touchMembers(String id) {
        if (!pods.ofGang(id).isEmpty()) {
            changes.touchApplication(id);
        }
    }

    /** Returns what has changed since it was reconciled. */
    public ViewChanges changes() {
        return changes;
    }

    /** Returns the names of all namespaces. */
    public Collection<String> namespaceNames() {
        return List.copyOf(namespaces.keySet());
    }

    /** Returns the names of all nodes. */
    public Collection<String> nodeNames() {
        return List.copyOf(nodes.keySet());
    }

    /** Returns the ids of all applications that have pods. */
    public Collection<String> applicationIds() {
        return pods.applicationIds();
    }

    /** Returns a node as if no pod used it, or null. */
    @Nullable NodeDescription node(String name) {
        return nodes.get(name);
    }

    /** Returns the pod of a task, or null. */
    public @Nullable ObservedPod podOf(TaskKey task) {
        return pods.ofTask(task);
    }

    /** Returns the pods that were created for runs. */
    public RunPods runs() {
        return runs;
    }

    /** Returns the pods that occupy a node. */
    Collection<ObservedPod> podsOn(String node) {
        return pods.on(node);
    }

    /** Returns the pods of an application in the order of their creation. */
    public Collection<ObservedPod> podsOf(String application) {
        return pods.of(application);
    }

    /** Returns the pods of an application that belong to a task group, in the order of their creation. */
    Collection<ObservedPod> membersOf(String application) {
        return pods.ofGang(application);
    }

    /**
     * Returns the application with pods that follows another one in the order of ids, or null.
     *
     * @param id the other one, which may be gone; null for the first
     */
    public @Nullable String applicationAfter(@Nullable String id) {
        return pods.applicationAfter(id);
    }

    /**
     * Returns the pod of an application that follows another one in the order of creation, or null.
     *
     * @param pod the other one, which may be gone; null for the first
     */
    public @Nullable ObservedPod podAfter(String application, @Nullable ObservedPod pod) {
        return pods.after(application, pod);
    }

    /** Returns the tags of the applications of a namespace. */
    SortedMap<String, String> tags(String namespace) {
        return settings(namespace).tags();
    }

    /** Returns the settings of a namespace, the defaults if it is not known. */
    NamespaceSettings settings(String namespace) {
        NamespaceSettings settings = namespaces.get(namespace);
        return settings == null ? NamespaceSettings.none(namespace) : settings;
    }
}
