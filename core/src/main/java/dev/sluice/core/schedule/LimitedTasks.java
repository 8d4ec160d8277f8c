package dev.sluice.core.schedule;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Vectors;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts tasks of one leaf that could each start alone, but not all together because of the limits of users and groups.
 *
 * <p>The count is the smaller of two: the tasks of each user as far as the user's limits allow, and the tasks of each
 * group as far as the group's limits allow, if each task needed only the smallest demand of each resource. It does not
 * depend on the order in which tasks are added.
 */
final class LimitedTasks {

    private final Map<String, Share> users = new HashMap<>();
    private final Map<String, Share> groups = new HashMap<>();
    private long withoutUserLimit;
    private long withoutGroupLimit;

    /** The tasks of one user or group. */
    private static final class Share {

        private final Application any;
        private final LimitUsage.Subject subject;
        private long[] smallest;
        private long tasks;

        Share(Application any, LimitUsage.Subject subject, long[] demand) {
            this.any = any;
            this.subject = subject;
            this.smallest = demand;
        }

        void add(long[] demand, long more) {
            tasks += more;
            if (smallest != demand) {
                long[] smaller = new long[smallest.length];
                for (int type = 0; type < smaller.length; type++) {
                    smaller[type] = Math.min(smallest[type], Vectors.at(demand, type));
                }
                smallest = smaller;
            }
        }

        long count() {
            return any.limits().cap(subject, smallest, tasks);
        }
    }

    /** Adds tasks of an application with this demand. */
    void add(Application application, long[] demand, long tasks) {
        LimitUsage user = application.limits().first(LimitUsage.Subject.USER);
        LimitUsage group = application.limits().first(LimitUsage.Subject.GROUP);
        if (user == null) {
            withoutUserLimit += tasks;
        } else {
            add(users, user, application, demand, tasks);
        }
        if (group == null) {
            withoutGroupLimit += tasks;
        } else {
            add(groups, group, application, demand, tasks);
        }
    }

    private static void add(
            Map<String, Share> shares, LimitUsage limit, Application application, long[] demand, long tasks) {
        shares.computeIfAbsent(limit.name(), name -> new Share(application, limit.subject(), demand))
                .add(demand, tasks);
    }

    long count() {
        return Math.min(withoutUserLimit + sum(users), withoutGroupLimit + sum(groups));
    }

    private static long sum(Map<String, Share> shares) {
        long sum = 0;
        for (Share share : shares.values()) {
            sum += share.count();
        }
        return sum;
    }
}
