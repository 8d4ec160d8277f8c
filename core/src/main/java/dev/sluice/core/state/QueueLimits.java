package dev.sluice.core.state;

import dev.sluice.core.configuration.Limit;
import dev.sluice.core.resource.ResourceTypes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits of users and groups that are configured for one queue, with their usage.
 *
 * <p>A limit of all users ({@code *}) applies to each user who is not named, separately. A limit of all groups is
 * shared by the applications whose group it is.
 */
final class QueueLimits {

    static final QueueLimits NONE = new QueueLimits();

    private final Map<String, Bound> users = new LinkedHashMap<>();
    private final Map<String, Bound> groups = new LinkedHashMap<>();
    private final SortedMap<String, LimitUsage> usedByUsers = new TreeMap<>();
    private final SortedMap<String, LimitUsage> usedByGroups = new TreeMap<>();

    /** A configured limit, as {@link Vectors#limitAt limits}. */
    private static final class Bound {

        private final long[] max;
        private final long maxApplications;

        Bound(long[] max, long maxApplications) {
            this.max = max;
            this.maxApplications = maxApplications;
        }

        LimitUsage usage(Queue queue, LimitUsage.Subject subject, String name) {
            return new LimitUsage(queue, subject, name, max, maxApplications);
        }
    }

    private QueueLimits() {}

    static QueueLimits of(List<Limit> configured, ResourceTypes types) {
        if (configured.isEmpty()) {
            return NONE;
        }
        QueueLimits limits = new QueueLimits();
        for (Limit limit : configured) {
            long applications = limit.maxApplications() == 0 ? Long.MAX_VALUE : limit.maxApplications();
            Bound bound = new Bound(types.vector(limit.maxResources(), Long.MAX_VALUE), applications);
            limit.users().forEach(user -> limits.users.putIfAbsent(user, bound));
            limit.groups().forEach(group -> limits.groups.putIfAbsent(group, bound));
        }
        return limits;
    }

    /** Returns the usage of this user's limit: its own or that of all users; null if neither exists. */
    @Nullable LimitUsage ofUser(Queue queue, String user) {
        Bound bound = users.getOrDefault(user, users.get(Limit.ALL));
        return bound == null
                ? null
                : usedByUsers.computeIfAbsent(user, name -> bound.usage(queue, LimitUsage.Subject.USER, name));
    }

    /** Returns the usage of the limit of exactly this group, or null. */
    @Nullable LimitUsage ofGroup(Queue queue, String group) {
        Bound bound = groups.get(group);
        return bound == null
                ? null
                : usedByGroups.computeIfAbsent(group, name -> bound.usage(queue, LimitUsage.Subject.GROUP, name));
    }

    boolean hasGroup(String group) {
        return groups.containsKey(group);
    }

    /** Returns the first configured group, in the order of the configuration, that is one of these, or null. */
    @Nullable String firstGroup(List<String> candidates) {
        for (String group : groups.keySet()) {
            if (group.equals(Limit.ALL) || candidates.contains(group)) {
                return group;
            }
        }
        return null;
    }

    void remove(LimitUsage usage) {
        (usage.subject() == LimitUsage.Subject.USER ? usedByUsers : usedByGroups).remove(usage.name());
    }

    /** Returns all usages: of users by name, including named ones that use nothing, then of groups likewise. */
    List<LimitUsage> usages(Queue queue) {
        SortedMap<String, LimitUsage> byUser = new TreeMap<>(usedByUsers);
        users.forEach((user, bound) -> {
            if (!user.equals(Limit.ALL)) {
                byUser.computeIfAbsent(user, name -> bound.usage(queue, LimitUsage.Subject.USER, name));
            }
        });
        SortedMap<String, LimitUsage> byGroup = new TreeMap<>(usedByGroups);
        groups.forEach((group, bound) ->
                byGroup.computeIfAbsent(group, name -> bound.usage(queue, LimitUsage.Subject.GROUP, name)));
        List<LimitUsage> all = new ArrayList<>(byUser.values());
        all.addAll(byGroup.values());
        return all;
    }
}
