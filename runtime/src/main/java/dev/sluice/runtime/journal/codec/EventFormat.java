package dev.sluice.runtime.journal.codec;

/** The numbers of the kinds of events and the bits of their fields, which never change their meaning. */
final class EventFormat {

    static final int CONFIGURED = 1;
    static final int PARTITION_REMOVED = 2;
    static final int QUEUE_CREATED = 3;
    static final int THROTTLED = 4;
    static final int SEEDED = 5;
    static final int USAGE_PRIORITY_SET = 6;
    static final int SPREAD_EXCEEDED = 7;
    static final int REBALANCE_DUE = 8;
    static final int SPREAD_RETURNED = 9;
    static final int REBALANCED = 10;
    static final int QUEUE_REMOVED = 11;
    static final int REGISTERED = 12;
    static final int UPDATED = 13;
    static final int TAKEN_OFFLINE = 14;
    static final int REINSTATED = 15;
    static final int HEALTH_CHANGED = 16;
    static final int NODE_REMOVED = 17;
    static final int SUBMITTED = 18;
    static final int TASKS_ADDED = 19;
    static final int SEALED = 20;
    static final int STATE_CHANGED = 21;
    static final int TASKS_DROPPED = 22;
    static final int PLACED = 23;
    static final int RELEASED = 24;
    static final int STARTED = 25;
    static final int STOPPING = 26;
    static final int ENDED = 27;
    static final int DROPPED = 28;
    static final int HELD = 29;
    static final int HOLD_RELEASED = 30;
    static final int RETRIED = 31;
    static final int START_TIME_REACHED = 32;
    static final int DEPENDENCY_ENDED = 33;
    static final int SUSPENDED = 34;
    static final int RESUMED = 35;
    static final int RETRY_DUE = 36;
    static final int APPLICATION_UPDATED = 37;
    static final int TAINTED = 38;

    /** The stop of a task that has a beneficiary. */
    static final int PREEMPTED = 39;

    static final int GANG_STARTED = 40;
    static final int GANG_TIMED_OUT = 41;
    static final int RESERVATION_MADE = 42;
    static final int RESERVATION_ENDED = 43;
    static final int MAXIMUM_EXCEEDED = 46;
    static final int QUEUE_QUOTAS_SET = 47;

    /** The two lowest bits of an event's first number, below the number of the kind. */
    static final int SAME_INSTANT = 1;

    static final int SAME_PARTITION = 1 << 1;
    static final int KIND_SHIFT = 2;

    static final int HEALTH_FLAKY_SINCE = 1;
    static final int SUBMITTED_QUEUE = 1;
    static final int SUBMITTED_NUMBER = 1 << 1;
    static final int SUBMITTED_ALL = (1 << 2) - 1;
    static final int PLACED_RESERVED = 1;
    static final int RETRIED_ALL = 1;
    static final int ENDED_AGAIN = 1;
    static final int ENDED_EXIT_CODE = 1 << 1;
    static final int ENDED_DETAIL = 1 << 2;
    static final int ENDED_RETRY_AT = 1 << 3;
    static final int ENDED_HELD = 1 << 4;
    static final int ENDED_ALL = (1 << 5) - 1;

    private EventFormat() {}
}
