package dev.sluice.runtime.local;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.NodeHealth;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** This machine as a node, as far as this process may use it: the limits of a container count. */
public final class LocalMachine {

    /** The node's name. */
    public static final String NAME = "local";

    private LocalMachine() {}

    /**
     * This machine as the one node of a partition; so many tasks at a time, or 0 for as many as the cores allow. With more slots than cores it
     * has a core for each slot, so that as many tasks of one core run at a time.
     */
    public static NodeEntry node(String partition, int slots) {
        SortedMap<String, Amount> capacity = new TreeMap<>();
        capacity.put(
                ResourceTypes.VCORE,
                new Amount(1000L * Math.max(Runtime.getRuntime().availableProcessors(), slots)));
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            capacity.put(ResourceTypes.MEMORY, new Amount(system.getTotalMemorySize()));
        }
        if (slots > 0) {
            capacity.put(ResourceTypes.SLOTS, new Amount(slots));
        }
        return new NodeEntry(
                NAME,
                TaskSpec.SINGLE,
                partition,
                Resources.of(capacity),
                Collections.emptySortedMap(),
                NodeHealth.READY,
                false,
                null);
    }
}
