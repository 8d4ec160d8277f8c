package dev.sluice.kubernetes.binding;

/**
 * Identifies a pod.
 *
 * @param namespace the namespace
 * @param name the name, which a later pod may have, too
 * @param uid the unique id
 */
public record PodRef(String namespace, String name, String uid) {

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
