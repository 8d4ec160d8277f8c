package dev.sluice.kubernetes.reconciliation;

import dev.sluice.kubernetes.translation.PodVolumes;
import dev.sluice.kubernetes.translation.VolumeLookup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The latest known claims, volumes and storage classes, and the pods that use claims. Each change returns the pods that
 * may be translated otherwise now.
 */
final class ClusterVolumes implements VolumeLookup {

    /** Pods on nodes first, then by creation, name and unique id. */
    private static final Comparator<Pod> BY_PRECEDENCE = Comparator.comparing((Pod pod) -> !isBound(pod))
            .thenComparing(pod -> text(pod.getMetadata().getCreationTimestamp()))
            .thenComparing(pod -> pod.getMetadata().getName())
            .thenComparing(pod -> text(pod.getMetadata().getUid()));

    private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, StorageClass> storageClasses = new HashMap<>();
    private final Map<String, Pod> users = new HashMap<>();
    private final Map<String, SortedSet<Pod>> usersByClaim = new HashMap<>();

    Collection<Pod> put(PersistentVolumeClaim claim) {
        String key = key(claim);
        claims.put(key, claim);
        return usersOf(key);
    }

    Collection<Pod> removeClaim(String namespace, String name) {
        claims.remove(key(namespace, name));
        return usersOf(key(namespace, name));
    }

    Collection<Pod> put(PersistentVolume volume) {
        PersistentVolume former = volumes.put(volume.getMetadata().getName(), volume);
        Set<Pod> affected = new LinkedHashSet<>(usersOf(volume));
        affected.addAll(usersOf(former));
        return affected;
    }

    Collection<Pod> removeVolume(String name) {
        return usersOf(volumes.remove(name));
    }

    Collection<Pod> put(StorageClass storageClass) {
        storageClasses.put(storageClass.getMetadata().getName(), storageClass);
        return List.copyOf(users.values());
    }

    Collection<Pod> removeStorageClass(String name) {
        return storageClasses.remove(name) == null ? List.of() : List.copyOf(users.values());
    }

    /** Adds or replaces a pod; one that has ended uses nothing. */
    Collection<Pod> put(Pod pod, boolean ended) {
        Set<Pod> affected = new LinkedHashSet<>(removePod(pod.getMetadata().getUid()));
        List<String> names = ended ? List.of() : PodVolumes.claims(pod);
        if (!names.isEmpty()) {
            users.put(pod.getMetadata().getUid(), pod);
        }
        for (String name : names) {
            String key = key(pod.getMetadata().getNamespace(), name);
            affected.addAll(rivals(key));
            usersByClaim
                    .computeIfAbsent(key, each -> new TreeSet<>(BY_PRECEDENCE))
                    .add(pod);
        }
        return affected;
    }

    Collection<Pod> removePod(String uid) {
        Pod former = users.remove(uid);
        Set<Pod> affected = new LinkedHashSet<>();
        if (former != null) {
            for (String name : PodVolumes.claims(former)) {
                String key = key(former.getMetadata().getNamespace(), name);
                usersByClaim.computeIfPresent(key, (each, sharing) -> {
                    sharing.remove(former);
                    return sharing.isEmpty() ? null : sharing;
                });
                affected.addAll(rivals(key));
            }
        }
        return affected;
    }

    /** Returns the names of the claims of a pod. */
    List<String> claimsOf(String uid) {
        Pod pod = users.get(uid);
        return pod == null ? List.of() : PodVolumes.claims(pod);
    }

    @Override
    public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
        return claims.get(key(namespace, name));
    }

    @Override
    public @Nullable PersistentVolume volume(String name) {
        return volumes.get(name);
    }

    @Override
    public @Nullable StorageClass storageClass(String name) {
        return storageClasses.get(name);
    }

    @Override
    public @Nullable String userBefore(Pod pod, String claim) {
        for (Pod user : usersOf(key(pod.getMetadata().getNamespace(), claim))) {
            if (user.getMetadata().getUid().equals(pod.getMetadata().getUid())) {
                return null;
            }
            if (user.getSpec().getSchedulingGates().isEmpty() || isBound(user)) {
                return user.getMetadata().getName();
            }
        }
        return null;
    }

    /** Returns the users of a claim if only one at a time may use it. */
    private Collection<Pod> rivals(String key) {
        PersistentVolumeClaim claim = claims.get(key);
        return claim == null || !PodVolumes.isExclusive(claim) ? List.of() : usersOf(key);
    }

    private Collection<Pod> usersOf(@Nullable PersistentVolume volume) {
        ObjectReference claim = volume == null ? null : volume.getSpec().getClaimRef();
        return claim == null ? List.of() : usersOf(key(claim.getNamespace(), claim.getName()));
    }

    private Collection<Pod> usersOf(String key) {
        SortedSet<Pod> found = usersByClaim.get(key);
        return found == null ? List.of() : List.copyOf(found);
    }

    private static boolean isBound(Pod pod) {
        return !text(pod.getSpec().getNodeName()).isEmpty();
    }

    private static String key(HasMetadata object) {
        return key(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }
}
