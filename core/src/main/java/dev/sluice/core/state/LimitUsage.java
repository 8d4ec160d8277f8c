package dev.sluice.core.state;

import java.util.Arrays;

/**
 * What a user or a group uses of its limit in one queue and the queues below it.
 *
 * <p>Derived from the applications: it counts those of the user, or those whose {@linkplain Application#limitGroup
 * group} it is, from the moment at which the configuration contains the limit.
 */
public final class LimitUsage {

    /** Whose limit it is. */
    public enum Subject {
        USER,
        GROUP;

        /** Returns the name in messages and answers. */
        public String wireName() {
            return this == USER ? "user" : "group";
        }
    }

    private final Queue queue;
    private final Subject subject;
    private final String name;
    private final long[] max;
    private final long maxApplications;
    private long[] headroom;
    private int activeApplications;
    private int applications;

    LimitUsage(Queue queue, Subject subject, String name, long[] max, long maxApplications) {
        this.queue = queue;
        this.subject = subject;
        this.name = name;
        this.max = max;
        this.headroom = max.clone();
        this.maxApplications = maxApplications;
    }

    /** Returns the queue that has the limit. */
    public Queue queue() {
        return queue;
    }

    public Subject subject() {
        return subject;
    }

    /** Returns the user or the group; {@code *} for all groups that are not named. */
    public String name() {
        return name;
    }

    /** Returns the maximum amount of this type; {@link Long#MAX_VALUE} if it is unlimited. */
    public long max(int type) {
        return Vectors.limitAt(max, type);
    }

    /** Returns the maximum number of active applications; {@link Long#MAX_VALUE} if it is unlimited. */
    public long maxApplications() {
        return maxApplications;
    }

    /** Returns the allocated amount of this type. */
    public long allocated(int type) {
        return max(type) - Vectors.limitAt(headroom, type);
    }

    /** Returns the number of active applications. */
    public int activeApplications() {
        return activeApplications;
    }

    /** Returns whether no further application may become active. */
    public boolean isAtMaxApplications() {
        return activeApplications >= maxApplications;
    }

    /** Returns the first resource type in which this demand would exceed the limit, or -1. */
    public int typeOverMax(long[] demand) {
        int known = Math.min(headroom.length, demand.length);
        for (int type = 0; type < known; type++) {
            if (demand[type] > headroom[type] && demand[type] > 0) {
                return type;
            }
        }
        return -1;
    }

    /** Returns the maximum number of tasks of this demand that still fit; {@link Long#MAX_VALUE} if it is unlimited. */
    public long tasksMax(long[] demand) {
        long tasks = Long.MAX_VALUE;
        for (int type = 0; type < Math.min(max.length, demand.length); type++) {
            if (demand[type] > 0 && max[type] != Long.MAX_VALUE) {
                tasks = Math.min(tasks, Math.max(0, headroom[type]) / demand[type]);
            }
        }
        return tasks;
    }

    void join(long[] amounts, boolean active) {
        applications++;
        change(amounts, 1, active ? 1 : 0);
    }

    /** Returns whether no application counts any more. */
    boolean leave(long[] amounts, boolean active) {
        applications--;
        change(amounts, -1, active ? -1 : 0);
        return applications == 0;
    }

    void change(long[] amounts, long times, int active) {
        if (headroom.length < amounts.length) {
            int known = headroom.length;
            headroom = Arrays.copyOf(headroom, amounts.length);
            Arrays.fill(headroom, known, headroom.length, Long.MAX_VALUE);
        }
        for (int type = 0; type < amounts.length; type++) {
            headroom[type] -= amounts[type] * times;
        }
        activeApplications += active;
    }

    @Override
    public String toString() {
        return subject.wireName() + " " + name + " in " + queue;
    }
}
