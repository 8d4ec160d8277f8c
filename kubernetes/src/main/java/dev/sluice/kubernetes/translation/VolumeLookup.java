package dev.sluice.kubernetes.translation;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import org.jspecify.annotations.Nullable;

/** Finds what the volumes of a pod refer to. */
public interface VolumeLookup {

    /** Finds nothing: every claim is missing. */
    VolumeLookup NONE = new VolumeLookup() {
        @Override
        public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
            return null;
        }

        @Override
        public @Nullable PersistentVolume volume(String name) {
            return null;
        }

        @Override
        public @Nullable StorageClass storageClass(String name) {
            return null;
        }

        @Override
        public @Nullable String userBefore(Pod pod, String claim) {
            return null;
        }
    };

    /** Returns a claim, or null. */
    @Nullable PersistentVolumeClaim claim(String namespace, String name);

    /** Returns a volume, or null. */
    @Nullable PersistentVolume volume(String name);

    /** Returns a storage class, or null. */
    @Nullable StorageClass storageClass(String name);

    /**
     * Returns the name of a pod that uses a claim of this pod and comes before it: one that is bound to a node, or
     * otherwise one to be scheduled that was created earlier; or null.
     */
    @Nullable String userBefore(Pod pod, String claim);
}
