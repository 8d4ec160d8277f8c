package dev.sluice.core.application;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Topologies of a cluster. A topology is named by the key of a label; nodes with the same value of that label are one
 * <em>topology domain</em>, such as a zone, a rack or a host.
 */
public final class Topology {

    /** The key of the topology whose domains are the nodes themselves. A node needs no such label. */
    public static final String HOST = "kubernetes.io/hostname";

    private Topology() {}

    /** Returns the domain of a node in the topology of this key, or null if it is in none. */
    public static @Nullable String domain(String key, String node, SortedMap<String, String> labels) {
        String value = labels.get(key);
        return value == null && key.equals(HOST) ? node : value;
    }

    /**
     * Returns a unique name of the domain of a node on a level of several topologies, or null if it is in none.
     *
     * @param keys the keys of the levels, from the widest to that of the domain
     */
    public static @Nullable String domain(List<String> keys, String node, SortedMap<String, String> labels) {
        int last = keys.size() - 1;
        String narrowest = domain(keys.get(last), node, labels);
        if (narrowest == null || last == 0) {
            return narrowest;
        }
        StringBuilder name = new StringBuilder();
        for (String key : keys.subList(0, last)) {
            String wider = domain(key, node, labels);
            name.append(wider == null ? "" : wider).append('\0');
        }
        return name.append(narrowest).toString();
    }
}
