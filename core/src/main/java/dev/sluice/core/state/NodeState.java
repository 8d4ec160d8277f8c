package dev.sluice.core.state;

/** Whether a node accepts tasks: its {@link NodeHealth} combined with whether an operator took it offline. */
public enum NodeState {
    /** It accepts tasks. */
    READY("ready"),
    /** An operator took it offline: running tasks finish, nothing new starts until it is reinstated. */
    OFFLINE("offline"),
    /** Its readiness check has not passed; running tasks are unaffected. */
    SUSPENDED("suspended"),
    /** It does not report any more; it is removed soon unless it reports again. */
    LOST("lost"),
    /** Tasks keep failing on it; running tasks are unaffected. */
    FLAKY("flaky");

    private final String wireName;

    NodeState(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the state to show for a node: lost takes precedence over offline, and offline over the rest. */
    static NodeState of(NodeHealth health, boolean offline) {
        if (offline && health != NodeHealth.LOST) {
            return OFFLINE;
        }
        return switch (health) {
            case READY -> READY;
            case SUSPENDED -> SUSPENDED;
            case FLAKY -> FLAKY;
            case LOST -> LOST;
        };
    }

    /** Returns the name used in files and API responses. */
    public String wireName() {
        return wireName;
    }
}
