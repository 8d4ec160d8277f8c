package dev.sluice.core.state;

/** Whether a node takes tasks, and why not: its {@link NodeHealth}, and whether a person took it offline. */
public enum NodeState {
    /** It takes tasks. */
    READY("ready"),
    /** Taken out by a person: what runs there ends in peace, nothing new starts until a person reinstates it. */
    OFFLINE("offline"),
    /** Its readiness check has not passed; what runs there goes on. */
    SUSPENDED("suspended"),
    /** Nothing is heard from it; it is removed soon unless it is heard from again. */
    LOST("lost"),
    /** Set aside for a while because tasks go wrong there; what runs there goes on. */
    FLAKY("flaky");

    private final String wireName;

    NodeState(String wireName) {
        this.wireName = wireName;
    }

    /** What is shown of a node: that it is lost before that it is offline, and this before everything else. */
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

    /** The name used in files and answers. */
    public String wireName() {
        return wireName;
    }
}
