package dev.sluice.runtime.local;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.runtime.machine.Gpus;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** This machine as a node, limited to the resources available to this process, for example by its container. */
public final class LocalMachine {

    /** The name of the node. */
    public static final String NAME = "local";

    private LocalMachine() {}

    /**
     * Returns this machine as the only node of a partition. With more slots than cores the node gets one core per slot,
     * so that this many one-core tasks run concurrently.
     *
     * @param slots the maximum number of concurrent tasks; 0: limited by the cores only
     * @param gpus the GPUs that tasks may use
     */
    public static NodeEntry node(String partition, int slots, Gpus gpus) {
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
        if (gpus.count() > 0) {
            capacity.put(Gpus.RESOURCE, new Amount(gpus.count()));
        }
        return NodeEntry.ready(NAME, TaskSpec.SINGLE, partition, Resources.of(capacity), Collections.emptySortedMap());
    }
}
