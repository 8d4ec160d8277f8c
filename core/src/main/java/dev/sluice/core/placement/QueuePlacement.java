package dev.sluice.core.placement;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.configuration.PlacementRule;
import dev.sluice.core.configuration.RuleFilter;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the queue of a submitted application by the partition's placement rules.
 *
 * <p>Rules are tried in order; the first that yields a usable leaf wins. Without rules the application names its queue,
 * which defaults to {@code root.default}. Queue names are not case-sensitive; a dot in a user's name or a tag becomes
 * {@code _dot_}, as in YuniKorn.
 */
public final class QueuePlacement {

    /** Matches valid queue names. */
    public static final Pattern QUEUE_NAME = Pattern.compile("[a-zA-Z0-9_:#/@-]{1,64}");

    private static final String ROOT = "root";
    private static final String ROOT_PREFIX = "root.";
    private static final String DEFAULT_QUEUE = "root.default";

    private final Map<String, Pattern> patterns = new HashMap<>();

    /** Creates a placement, which keeps the patterns of rules that it has compiled. */
    public QueuePlacement() {}

    /**
     * The result of a placement.
     *
     * @param queue the path of a leaf queue, or null if none accepts the application
     * @param create whether that queue must be created first
     * @param reason why no queue accepts the application; empty if one does
     */
    public record Result(@Nullable String queue, boolean create, String reason) {

        private static Result in(String queue, boolean create) {
            return new Result(queue, create, "");
        }

        private static Result nowhere(String reason) {
            return new Result(null, false, reason);
        }
    }

    /** Returns the first error in the regular expressions of a rule and its parent rules, or null. */
    public static @Nullable String problemWith(PlacementRule rule) {
        for (List<String> entries : List.of(rule.filter().users(), rule.filter().groups())) {
            if (isPattern(entries)) {
                try {
                    Pattern.compile(entries.get(0));
                } catch (PatternSyntaxException e) {
                    return NameSearch.shown(entries.get(0)) + " is not a regular expression: " + e.getDescription();
                }
            }
        }
        PlacementRule parent = rule.parent();
        return parent == null ? null : problemWith(parent);
    }

    /** Returns the queue for this application. */
    public Result place(ApplicationSpec application, Partition partition) {
        List<PlacementRule> rules = partition.configuration().placementRules();
        if (rules.isEmpty()) {
            return keep(application, partition);
        }
        NameSearch search = new NameSearch(patterns);
        List<String> reasons = new ArrayList<>();
        for (PlacementRule rule : rules) {
            Result place = apply(rule, application, partition, search);
            String abandoned = search.abandoned();
            if (abandoned != null) {
                // do not try the next rule: this one may exist to exclude the user
                return Result.nowhere("placement rule " + rule.kind().wireName() + ": " + abandoned);
            }
            if (place.queue() != null) {
                return place;
            }
            reasons.add(rule.kind().wireName() + ": " + place.reason());
        }
        return Result.nowhere("no placement rule matches (" + String.join("; ", reasons) + ")");
    }

    /** Returns whether a rule that creates queues could create this one. */
    public static boolean canCreate(String path, Partition partition) {
        return check(path, true, partition).create();
    }

    /**
     * Returns the queue that the application names, regardless of the rules; {@code root.default} if it names none.
     */
    public Result keep(ApplicationSpec application, Partition partition) {
        String asked = application.queue();
        return check(asked == null || asked.isEmpty() ? DEFAULT_QUEUE : qualified(asked), false, partition);
    }

    private static Result apply(
            PlacementRule rule, ApplicationSpec application, Partition partition, NameSearch search) {
        if (!passes(rule.filter(), application, search)) {
            return Result.nowhere("filter excludes user " + application.user());
        }
        String path = pathOf(rule, application, partition, search);
        return path.startsWith(ROOT) ? check(path, rule.create(), partition) : Result.nowhere(path);
    }

    /**
     * Returns the path that a rule yields, or the reason why it yields none; paths begin with {@code root}, reasons
     * never do.
     */
    private static String pathOf(
            PlacementRule rule, ApplicationSpec application, Partition partition, NameSearch search) {
        String name = switch (rule.kind()) {
            case PROVIDED -> application.queue();
            case USER -> withoutDots(application.user());
            case FIXED -> rule.value();
            case TAG -> application.tags().get(rule.value());
        };
        if (name == null || name.isEmpty()) {
            return rule.kind() == PlacementRule.Kind.TAG
                    ? "the application has no tag " + rule.value()
                    : "the application names no queue";
        }
        if (name.toLowerCase(Locale.ROOT).startsWith(ROOT_PREFIX)) {
            return name.toLowerCase(Locale.ROOT);
        }
        String child = rule.kind() == PlacementRule.Kind.FIXED ? name : withoutDots(name);
        PlacementRule parentRule = rule.parent();
        if (parentRule == null) {
            boolean isPath = rule.kind() == PlacementRule.Kind.PROVIDED || rule.kind() == PlacementRule.Kind.FIXED;
            return isPath ? qualified(child) : ROOT_PREFIX + child.toLowerCase(Locale.ROOT);
        }
        if (!passes(parentRule.filter(), application, search)) {
            return "filter of the parent rule excludes user " + application.user();
        }
        String parent = pathOf(parentRule, application, partition, search);
        if (!parent.startsWith(ROOT)) {
            return parent;
        }
        Queue queue = partition.queues().find(parent);
        if (queue == null && !parentRule.create()) {
            return "queue " + parent + " not found";
        }
        return queue != null && queue.isLeaf()
                ? "queue " + parent + " is a leaf"
                : parent + "." + child.toLowerCase(Locale.ROOT);
    }

    private static Result check(String path, boolean create, Partition partition) {
        Queue queue = partition.queues().find(path);
        if (queue == null) {
            return create ? checkNew(path, partition) : Result.nowhere("queue " + path + " not found");
        }
        if (!queue.isLeaf()) {
            return Result.nowhere("queue " + path + " is not a leaf queue");
        }
        Queue draining = draining(queue);
        return draining != null
                ? Result.nowhere("queue " + draining.path() + " is draining")
                : Result.in(queue.path(), false);
    }

    /** Returns the first draining queue from here up to root, or null. */
    private static @Nullable Queue draining(Queue from) {
        for (Queue queue = from; queue != null; queue = queue.parent()) {
            if (queue.isDraining()) {
                return queue;
            }
        }
        return null;
    }

    private static Result checkNew(String path, Partition partition) {
        if (path.length() > SchedulerLimits.QUEUE_PATH_LENGTH_MAX) {
            return Result.nowhere("queue path has " + path.length() + " characters: maximum is "
                    + SchedulerLimits.QUEUE_PATH_LENGTH_MAX);
        }
        String[] names = path.split("\\.", -1);
        if (!names[0].equals(ROOT) || names.length > SchedulerLimits.QUEUE_DEPTH_MAX) {
            return Result.nowhere("cannot create queue " + path);
        }
        for (String name : names) {
            if (!QUEUE_NAME.matcher(name).matches()) {
                return Result.nowhere("\"" + name + "\" is not a valid queue name");
            }
        }
        for (int end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
            Queue above = partition.queues().find(path.substring(0, end));
            if (above != null) {
                return above.isLeaf() || draining(above) != null
                        ? Result.nowhere("cannot create queues below " + above.path())
                        : Result.in(path, true);
            }
        }
        return Result.nowhere("cannot create queue " + path);
    }

    private static boolean passes(RuleFilter filter, ApplicationSpec application, NameSearch search) {
        if (filter.users().isEmpty() && filter.groups().isEmpty()) {
            return true;
        }
        boolean named = names(filter.users(), application.user(), search);
        for (String group : application.groups()) {
            named |= names(filter.groups(), group, search);
        }
        return named == filter.allow();
    }

    private static boolean names(List<String> entries, String name, NameSearch search) {
        return isPattern(entries) ? search.matches(entries.get(0), name) : entries.contains(name);
    }

    private static boolean isPattern(List<String> entries) {
        return entries.size() == 1 && RuleFilter.isPattern(entries.get(0));
    }

    /** Returns the path of a queue that may be given without {@code root}. */
    public static String qualified(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(ROOT) || lower.startsWith(ROOT_PREFIX) ? lower : ROOT_PREFIX + lower;
    }

    private static String withoutDots(String name) {
        return name.replace(".", "_dot_");
    }
}
