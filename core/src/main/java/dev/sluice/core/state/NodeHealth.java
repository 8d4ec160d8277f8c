package dev.sluice.core.state;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How a node is, whatever people have decided about it, and the only way from one health to another.
 *
 * <p>{@link #after} is the one transition table. From top to bottom what is known, to the right what is reported:
 *
 * <pre>
 *              ready        suspended    flaky        lost
 * ready        -            suspended    flaky        lost
 * suspended    ready (1)    -            - (2)        lost
 * flaky        -            suspended    - (2)        lost
 * lost         ready (1)    -            - (2)        -
 * </pre>
 *
 * <p>A dash: it stays as it is. (1) Flaky instead, while the time for which the node was set aside as flaky is not over. (2) That
 * time begins anew. The time runs on while a node is suspended or lost, so nothing but time ends it. Time itself ends two of
 * them: what is flaky is ready after {@link SchedulerLimits#FLAKY_MAX}, what is lost is removed after {@link SchedulerLimits#LOST_MAX}.
 */
public enum NodeHealth {
    /** Nothing speaks against placing tasks on it. */
    READY("ready"),
    /** Its readiness check has not passed: it takes no tasks until it does; what runs there goes on. */
    SUSPENDED("suspended"),
    /** Set aside for a while because tasks go wrong there: it takes none; what runs there goes on. */
    FLAKY("flaky"),
    /** Nothing is heard from it: it takes no tasks, and is removed soon unless it is heard from again. */
    LOST("lost");

    private static final Map<NodeHealth, Map<NodeHealth, NodeHealth>> TABLE = table();

    private final String wireName;

    NodeHealth(String wireName) {
        this.wireName = wireName;
    }

    private static Map<NodeHealth, Map<NodeHealth, NodeHealth>> table() {
        Map<NodeHealth, Map<NodeHealth, NodeHealth>> table = new EnumMap<>(NodeHealth.class);
        table.put(READY, row(READY, SUSPENDED, FLAKY, LOST));
        table.put(SUSPENDED, row(READY, SUSPENDED, SUSPENDED, LOST));
        table.put(FLAKY, row(FLAKY, SUSPENDED, FLAKY, LOST));
        table.put(LOST, row(READY, LOST, LOST, LOST));
        return Collections.unmodifiableMap(table);
    }

    /** What follows when it is reported as ready, suspended, flaky or lost. */
    private static Map<NodeHealth, NodeHealth> row(
            NodeHealth ready, NodeHealth suspended, NodeHealth flaky, NodeHealth lost) {
        Map<NodeHealth, NodeHealth> row = new EnumMap<>(NodeHealth.class);
        row.put(READY, ready);
        row.put(SUSPENDED, suspended);
        row.put(FLAKY, flaky);
        row.put(LOST, lost);
        return row;
    }

    /** The health of a node of this health when that one is reported, if the node is not set aside as flaky. */
    public NodeHealth after(NodeHealth report) {
        return TABLE.getOrDefault(this, Map.of()).getOrDefault(report, this);
    }

    /** The name used in files and answers. */
    public String wireName() {
        return wireName;
    }
}
