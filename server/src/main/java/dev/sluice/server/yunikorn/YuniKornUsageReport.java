package dev.sluice.server.yunikorn;

import dev.sluice.core.state.Application;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what users or groups use in each queue, an active application at a time. For a group count the applications
 * that count for its limits. Views can be built on another thread, after the last application was added.
 */
public final class YuniKornUsageReport {

    private final LimitUsage.Subject kind;
    private final @Nullable String only;
    private final SortedMap<String, Subject> subjects = new TreeMap<>();

    /**
     * Creates a report.
     *
     * @param kind whether it is on users or on groups
     * @param only the name of the only user or group; null: all
     */
    public YuniKornUsageReport(LimitUsage.Subject kind, @Nullable String only) {
        this.kind = kind;
        this.only = only;
    }

    /** What one user or group uses. */
    private static final class Subject {

        private final Map<String, Usage> usages = new LinkedHashMap<>();
        private final SortedMap<String, String> groups = new TreeMap<>();
        private String root = "";
    }

    /** What a user or group uses of one queue and the queues below it, and the limit there. */
    private static final class Usage {

        private final Map<String, Long> allocated = new TreeMap<>();
        private final List<String> applications = new ArrayList<>();
        private final List<String> children = new ArrayList<>();
        private @Nullable Map<String, Long> max;
        private long maxApplications;
    }

    /** Adds an application, if it is active. */
    public void add(Partition partition, Application application) {
        String group = application.limitGroup();
        String name = kind == LimitUsage.Subject.USER ? application.spec().user() : group;
        if (name == null
                || (only != null && !only.equals(name))
                || !application.isActive()
                || !application.hasQueue()) {
            return;
        }
        Subject subject = subjects.computeIfAbsent(name, key -> new Subject());
        if (group != null) {
            subject.groups.put(application.id(), group);
        }
        Map<String, Long> allocated = Views.amounts(partition, application::allocated);
        String child = null;
        for (Queue queue = application.queue(); queue != null; queue = queue.parent()) {
            String path = queue.path();
            boolean isNew = !subject.usages.containsKey(path);
            Usage usage = subject.usages.computeIfAbsent(path, key -> new Usage());
            allocated.forEach((type, amount) -> usage.allocated.merge(type, amount, Long::sum));
            usage.applications.add(application.id());
            if (child != null) {
                usage.children.add(child);
            }
            child = isNew ? path : null;
            subject.root = path;
        }
        for (LimitUsage limit : application.limits().all()) {
            Usage usage =
                    limit.subject() == kind ? subject.usages.get(limit.queue().path()) : null;
            if (usage != null) {
                usage.max = Views.maxima(partition, limit::max);
                usage.maxApplications = limit.maxApplications() == Long.MAX_VALUE ? 0 : limit.maxApplications();
            }
        }
    }

    /** Returns what each user uses, by name. */
    public List<YuniKornUsage.OfUser> users() {
        List<YuniKornUsage.OfUser> users = new ArrayList<>();
        subjects.forEach(
                (name, user) -> users.add(new YuniKornUsage.OfUser(name, user.groups, usage(user, user.root))));
        return users;
    }

    /** Returns what each group uses, by name. */
    public List<YuniKornUsage.OfGroup> groups() {
        List<YuniKornUsage.OfGroup> groups = new ArrayList<>();
        subjects.forEach((name, group) -> {
            YuniKornUsage usage = usage(group, group.root);
            groups.add(new YuniKornUsage.OfGroup(name, usage.runningApplications(), usage));
        });
        return groups;
    }

    private static YuniKornUsage usage(Subject of, String path) {
        Usage usage = of.usages.getOrDefault(path, new Usage());
        return new YuniKornUsage(
                path,
                usage.allocated,
                usage.applications,
                usage.max,
                usage.maxApplications,
                usage.children.stream().map(child -> usage(of, child)).toList());
    }
}
