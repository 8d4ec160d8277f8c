package dev.sluice.core.state;

/** Why a reservation ended. */
public enum ReservationEnd {
    /** Its task, or one like it, was allocated. */
    STARTED("started"),
    /** Its task is not pending any more: it was cancelled, held, moved or changed. */
    WITHDRAWN("withdrawn"),
    /** Its task exceeds a quota or limit, or its queue is not served any more. */
    NOT_PERMITTED("not-permitted"),
    /** No node is expected to have enough free capacity at any time. */
    NO_NODE("no-node"),
    /** A task of higher priority in the same queue takes its place. */
    OUTRANKED("outranked"),
    /** The partition permits fewer reservations than before. */
    DISABLED("disabled");

    private final String wireName;

    ReservationEnd(String wireName) {
        this.wireName = wireName;
    }

    /** Returns the name in files and APIs. */
    public String wireName() {
        return wireName;
    }
}
