package dev.sluice.kubernetes.creation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A pod to be created.
 *
 * @param run its run
 * @param namespace its namespace
 * @param name its name
 * @param node the node on which it runs
 * @param claims the claims that its volumes name
 * @param manifest the pod as JSON; not to be changed
 */
public record NewPod(PodRun run, String namespace, String name, String node, List<String> claims, ObjectNode manifest) {

    /** Copies the list. */
    public NewPod {
        claims = List.copyOf(claims);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
