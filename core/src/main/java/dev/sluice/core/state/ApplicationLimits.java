package dev.sluice.core.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits that apply to one application: those of its user in each queue from its own up to the root, then those of
 * its group.
 */
public final class ApplicationLimits {

    static final ApplicationLimits NONE = new ApplicationLimits(new LimitUsage[0]);

    private final LimitUsage[] usages;

    private ApplicationLimits(LimitUsage[] usages) {
        this.usages = usages;
    }

    /** Returns the limits of a user and a group in this leaf and the queues above it. */
    static ApplicationLimits of(Queue leaf, String user, @Nullable String group) {
        List<LimitUsage> usages = new ArrayList<>(0);
        for (Queue queue = leaf; queue != null; queue = queue.parent()) {
            add(usages, queue.limits().ofUser(queue, user));
        }
        for (Queue queue = leaf; group != null && queue != null; queue = queue.parent()) {
            add(usages, queue.limits().ofGroup(queue, group));
        }
        return usages.isEmpty() ? NONE : new ApplicationLimits(usages.toArray(new LimitUsage[0]));
    }

    private static void add(List<LimitUsage> usages, @Nullable LimitUsage usage) {
        if (usage != null) {
            usages.add(usage);
        }
    }

    /**
     * Returns the group whose limits apply to members of these groups: from the leaf up to the root, the first
     * configured group that is one of these; {@code *} matches any. Returns null if there is none.
     */
    static @Nullable String chooseGroup(Queue leaf, List<String> groups) {
        for (Queue queue = leaf; !groups.isEmpty() && queue != null; queue = queue.parent()) {
            String group = queue.limits().firstGroup(groups);
            if (group != null) {
                return group;
            }
        }
        return null;
    }

    /** Returns whether this group has a limit in the leaf or a queue above it. */
    static boolean isLimited(Queue leaf, String group) {
        for (Queue queue = leaf; queue != null; queue = queue.parent()) {
            if (queue.limits().hasGroup(group)) {
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return usages.length == 0;
    }

    /** Returns the limits: of the user, then of the group, each from the leaf up to the root. */
    public List<LimitUsage> all() {
        return List.of(usages);
    }

    /** Returns the first limit that this demand would exceed, or null. */
    public @Nullable LimitUsage firstOverMax(long[] demand) {
        for (LimitUsage usage : usages) {
            if (usage.typeOverMax(demand) >= 0) {
                return usage;
            }
        }
        return null;
    }

    /** Returns the first limit that has its maximum number of active applications, or null. */
    public @Nullable LimitUsage firstAtMaxApplications() {
        for (LimitUsage usage : usages) {
            if (usage.isAtMaxApplications()) {
                return usage;
            }
        }
        return null;
    }

    /** Returns the first limit of the user, or of the group, or null. */
    public @Nullable LimitUsage first(LimitUsage.Subject subject) {
        for (LimitUsage usage : usages) {
            if (usage.subject() == subject) {
                return usage;
            }
        }
        return null;
    }

    /** Returns how many of these tasks of one demand fit within the limits of the user, or of the group. */
    public long cap(LimitUsage.Subject subject, long[] demand, long tasks) {
        long fitting = tasks;
        for (LimitUsage usage : usages) {
            if (usage.subject() == subject) {
                fitting = Math.min(fitting, usage.tasksMax(demand));
            }
        }
        return fitting;
    }

    void join(long[] allocated, boolean active) {
        for (LimitUsage usage : usages) {
            usage.join(allocated, active);
        }
    }

    void leave(long[] allocated, boolean active) {
        for (LimitUsage usage : usages) {
            if (usage.leave(allocated, active)) {
                usage.queue().limits().remove(usage);
            }
        }
    }

    void change(long[] demand, long times) {
        for (LimitUsage usage : usages) {
            usage.change(demand, times, 0);
        }
    }

    void countActive(int change) {
        for (LimitUsage usage : usages) {
            usage.change(Vectors.empty(), 0, change);
        }
    }
}
