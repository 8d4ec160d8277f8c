package dev.sluice.core.state;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The observed health of a node, independent of operator overrides, and its transitions.
 *
 * <p>{@link #after} is the transition table. The rows are the current health, the columns the reported one:
 *
 * <pre>
 *              ready        suspended    flaky        lost
 * ready        -            suspended    flaky        lost
 * suspended    ready (1)    -            - (2)        lost
 * flaky        -            suspended    - (2)        lost
 * lost         ready (1)    -            - (2)        -
 * </pre>
 *
 * <p>A dash means no change. (1) Flaky instead of ready while the time for which a flaky node is avoided has not
 * passed. (2) That time starts again. It also passes while a node is suspended or lost, so only time ends it. Two
 * transitions happen by time alone: a flaky node becomes ready after {@link SchedulerLimits#FLAKY_MAX}, and a lost node
 * is removed after {@link SchedulerLimits#LOST_MAX}.
 */
public enum NodeHealth {
    /** The node is healthy. */
    READY("ready"),
    /** Its readiness check has not passed: nothing new starts until it passes; running tasks are unaffected. */
    SUSPENDED("suspended"),
    /** Tasks keep failing on it: nothing new starts for some time; running tasks are unaffected. */
    FLAKY("flaky"),
    /** It does not report any more: nothing new starts, and it is removed soon unless it reports again. */
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

    /** Creates a row of the table: the next health for each reported one. */
    private static Map<NodeHealth, NodeHealth> row(
            NodeHealth ready, NodeHealth suspended, NodeHealth flaky, NodeHealth lost) {
        Map<NodeHealth, NodeHealth> row = new EnumMap<>(NodeHealth.class);
        row.put(READY, ready);
        row.put(SUSPENDED, suspended);
        row.put(FLAKY, flaky);
        row.put(LOST, lost);
        return row;
    }

    /** Returns the health that follows a report, if the node need not be avoided as flaky. */
    public NodeHealth after(NodeHealth report) {
        return TABLE.getOrDefault(this, Map.of()).getOrDefault(report, this);
    }

    /** Returns the name used in files and API responses. */
    public String wireName() {
        return wireName;
    }
}
