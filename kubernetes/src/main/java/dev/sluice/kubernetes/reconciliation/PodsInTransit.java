package dev.sluice.kubernetes.reconciliation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pods whose binding or end was requested and that the API server does not show yet, by unique id. */
final class PodsInTransit {

    /** The nodes to which this scheduler has bound pods that the API server does not show as bound yet. */
    private final Map<String, String> assumed = new HashMap<>();

    /** The places in gangs that pods take which are being bound, or are not shown as bound yet. */
    private final Map<String, String> places = new HashMap<>();

    /** Pods that are being bound. */
    private final Set<String> binding = new HashSet<>();

    /** Pods whose end has been requested. */
    private final Set<String> ending = new HashSet<>();

    /** What prevents the end of pods whose end has been requested. */
    private final Map<String, String> delays = new HashMap<>();

    /** Returns the pod as it will be shown: an older description of it may arrive after its binding. */
    ObservedPod withAssumption(ObservedPod pod) {
        String node = assumed.get(pod.uid());
        if (pod.stage() == ObservedPod.Stage.PENDING) {
            String place = places.get(pod.uid());
            return node == null ? pod.withPlace(place) : pod.boundTo(node, place);
        }
        assumed.remove(pod.uid());
        places.remove(pod.uid());
        return pod;
    }

    /** Records that a pod is being bound; returns false if that was known. */
    boolean beginBinding(String uid) {
        return binding.add(uid);
    }

    /** Records that a pod is being bound to take a place in a gang. */
    void takePlace(String uid, String place) {
        binding.add(uid);
        places.put(uid, place);
    }

    /**
     * Records the end of a binding.
     *
     * @param node the node to which a pod is bound that is still shown as pending, otherwise null
     * @return whether the pod is to be shown in another way
     */
    boolean endBinding(String uid, @Nullable String node) {
        binding.remove(uid);
        if (node != null) {
            assumed.put(uid, node);
            return true;
        }
        return places.remove(uid) != null;
    }

    boolean isBinding(String uid) {
        return binding.contains(uid);
    }

    /** Returns whether a pod is being bound, or was bound, by this scheduler. */
    boolean isOwnBinding(String uid) {
        return assumed.containsKey(uid) || binding.contains(uid);
    }

    /** Records that the end of a pod is requested; returns false if that was known. */
    boolean beginEnding(String uid) {
        return ending.add(uid);
    }

    void failEnding(String uid) {
        ending.remove(uid);
        delays.remove(uid);
    }

    /** Records what prevents the end of a pod that is requested; empty for nothing. */
    void delayEnding(String uid, String reason) {
        if (reason.isEmpty() || !ending.contains(uid)) {
            delays.remove(uid);
        } else {
            delays.put(uid, reason);
        }
    }

    /** Returns what prevents the end of a pod; empty for nothing. */
    String delay(String uid) {
        return delays.getOrDefault(uid, "");
    }

    /** Forgets a pod that is gone. */
    void forget(String uid) {
        assumed.remove(uid);
        places.remove(uid);
        binding.remove(uid);
        ending.remove(uid);
        delays.remove(uid);
    }
}
