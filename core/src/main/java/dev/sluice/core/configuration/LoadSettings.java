package dev.sluice.core.configuration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the settings of load classes, under Scoot's names, in the configuration of a partition.
 *
 * <p>A load class is a child of a parent with share policy {@code load}. Paths are as in the configuration, such as
 * {@code root.land}. For unknown queues readers return null, and writers throw an {@link IllegalArgumentException} with
 * a message for people.
 */
public final class LoadSettings {

    /** A character that makes a filter entry a regular expression in every reader of {@code queues.yaml}. */
    private static final Pattern SPECIAL = Pattern.compile("[\\^*+?()\\[{}|]");

    private static final Pattern SPECIAL_IN_NAME = Pattern.compile("[.$]");
    private static final String GROUP_START = "(?:";
    private static final String GROUP_END = ")";
    private static final int PERCENT_ALL = 100;

    /**
     * The rule that follows a requestor map if there was no other rule: all other users' applications go to the queue
     * that they name. Its filter, which matches every user, identifies it, so that it can be removed together with the
     * map.
     */
    private static final PlacementRule PROVIDED_BY_ALL = new PlacementRule(
            PlacementRule.Kind.PROVIDED, "", false, null, new RuleFilter(true, List.of(".*"), List.of()));

    private LoadSettings() {}

    /**
     * Returns a warning about the load percentages below this parent, or null if they are fine or it has no classes.
     */
    public static @Nullable String percentWarning(PartitionConfiguration partition, String parent) {
        Map<String, Integer> percents = classLoadPercents(partition, parent);
        return percents == null || percents.isEmpty() ? null : percentWarning(parent, percents.values());
    }

    /**
     * Returns a warning about the load percentages of all classes below the queue at this path, or null if they are
     * fine.
     */
    public static @Nullable String percentWarning(String path, Collection<Integer> percents) {
        long sum = percents.stream().mapToLong(Integer::longValue).sum();
        if (sum == PERCENT_ALL) {
            return null;
        }
        return sum == 0
                ? "all load classes below " + path + " are at 0 %: none is ever served"
                : "the load percentages below " + path + " add up to " + sum + ", not to 100: they are scaled";
    }

    /**
     * Returns the load % of every class below this parent by name, in configuration order, or null if it does not share
     * by load.
     */
    public static @Nullable Map<String, Integer> classLoadPercents(PartitionConfiguration partition, String parent) {
        QueueConfiguration found = find(partition.root(), parent);
        if (found == null || found.properties().sharePolicy() != SharePolicyKind.LOAD) {
            return null;
        }
        Map<String, Integer> percents = new LinkedHashMap<>();
        for (QueueConfiguration child : found.children()) {
            percents.put(child.name(), child.properties().load().percentOrZero());
        }
        return Collections.unmodifiableMap(percents);
    }

    /** Returns the partition with these load percentages below this parent; classes that are not named keep theirs. */
    public static PartitionConfiguration withClassLoadPercents(
            PartitionConfiguration partition, String parent, Map<String, Integer> percents) {
        return edit(partition, parent, queue -> {
            Map<String, Integer> left = new LinkedHashMap<>(percents);
            List<QueueConfiguration> children = new ArrayList<>();
            for (QueueConfiguration child : queue.children()) {
                Integer percent = left.remove(child.name());
                if (percent != null && (percent < 0 || percent > 100)) {
                    throw new IllegalArgumentException(
                            "load of " + child.name() + " must be a whole number from 0 to 100, not " + percent);
                }
                children.add(
                        percent == null
                                ? child
                                : child.withProperties(child.properties()
                                        .withLoad(child.properties().load().withPercent(percent))));
            }
            if (!left.isEmpty()) {
                throw new IllegalArgumentException(
                        "load class " + left.keySet().iterator().next() + " not found below " + parent);
            }
            return queue.withChildren(children);
        });
    }

    /**
     * Returns the requestor map: for every class that placement rules name, by path, the regular expression for its
     * users. In the order of the rules; the first match wins. Several rules for one class are joined at the position of
     * the first; a map cannot fully represent rules for other classes between them. A rule for one user by name becomes
     * an expression that matches only this name.
     */
    public static Map<String, String> requestorMap(PartitionConfiguration partition) {
        Map<String, String> requestors = new LinkedHashMap<>();
        for (PlacementRule rule : partition.placementRules()) {
            String path = classOf(partition, rule);
            if (path != null) {
                requestors.merge(path, expressionOf(rule.filter().users().get(0)), (a, b) -> a + "|" + b);
            }
        }
        return Collections.unmodifiableMap(requestors);
    }

    /** Returns the expression of a requestor map that is equivalent to this filter entry. */
    private static String expressionOf(String entry) {
        if (!RuleFilter.isPattern(entry)) {
            return "^" + SPECIAL_IN_NAME.matcher(entry).replaceAll("\\\\$0") + "$";
        }
        return isGrouped(entry) ? inGroup(entry) : entry;
    }

    /**
     * Returns the filter entry that every reader of placement rules accepts for this expression. An expression without
     * special characters would be read as a name, so it becomes a group: {@code (?:sand)}.
     */
    private static String entryOf(String expression) {
        if (isExpression(expression) && !isGrouped(expression)) {
            return expression; // validated with all other filters
        }
        try {
            Pattern checked = Pattern.compile(expression);
            return GROUP_START + checked.pattern() + GROUP_END;
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "\"" + expression + "\" is not a regular expression: " + e.getDescription(), e);
        }
    }

    private static boolean isExpression(String text) {
        return SPECIAL.matcher(text).find();
    }

    /** Whether {@link #entryOf} added the group; entries that it leaves unchanged never look like this. */
    private static boolean isGrouped(String entry) {
        String rest = entry;
        while (rest.startsWith(GROUP_START) && rest.endsWith(GROUP_END)) {
            rest = inGroup(rest);
            if (!isExpression(rest)) {
                return true;
            }
        }
        return false;
    }

    private static String inGroup(String entry) {
        return entry.substring(GROUP_START.length(), entry.length() - GROUP_END.length());
    }

    /**
     * Returns the partition with its requestor map replaced. The new rules take the position of the first replaced one,
     * or precede all others if there was none. If there was no rule at all, applications that match no expression go to
     * the queue that they name, until the map is empty again. An expression matches anywhere in the user's name.
     */
    public static PartitionConfiguration withRequestorMap(
            PartitionConfiguration partition, Map<String, String> requestors) {
        List<PlacementRule> rules = new ArrayList<>();
        int first = -1;
        for (PlacementRule rule : partition.placementRules()) {
            if (classOf(partition, rule) == null) {
                rules.add(rule);
            } else if (first < 0) {
                first = rules.size();
            }
        }
        if (requestors.isEmpty() && rules.equals(List.of(PROVIDED_BY_ALL))) {
            rules.clear();
        } else if (!requestors.isEmpty() && partition.placementRules().isEmpty()) {
            rules.add(PROVIDED_BY_ALL);
        }
        List<PlacementRule> mapped = new ArrayList<>();
        requestors.forEach((path, users) -> {
            RuleFilter filter = new RuleFilter(true, List.of(entryOf(users)), List.of());
            PlacementRule rule = new PlacementRule(PlacementRule.Kind.FIXED, path, false, null, filter);
            if (users.isEmpty() || classOf(partition, rule) == null) {
                throw new IllegalArgumentException(
                        users.isEmpty()
                                ? "the regular expression for " + path + " is empty"
                                : path + " is not a load class");
            }
            mapped.add(rule);
        });
        rules.addAll(Math.max(0, first), mapped);
        return partition.withPlacementRules(rules);
    }

    /**
     * Returns the spread above which this parent rebalances, in percentage points, 0: never; null if it does not share
     * by load.
     */
    public static @Nullable Integer rebalanceThreshold(PartitionConfiguration partition, String parent) {
        QueueConfiguration queue = find(partition.root(), parent);
        return queue == null || queue.properties().sharePolicy() != SharePolicyKind.LOAD
                ? null
                : Integer.valueOf(queue.properties().load().rebalanceThreshold());
    }

    /** Returns the partition with this threshold. */
    public static PartitionConfiguration withRebalanceThreshold(
            PartitionConfiguration partition, String parent, int threshold) {
        return edit(partition, parent, queue -> {
            QueueProperties properties = queue.properties();
            return queue.withProperties(properties.withLoad(
                    properties.load().withRebalance(threshold, properties.load().rebalanceMinimumDuration())));
        });
    }

    /** Returns how long the spread must stay above the threshold, or null if this parent does not share by load. */
    public static @Nullable Duration rebalanceMinimumDuration(PartitionConfiguration partition, String parent) {
        QueueConfiguration queue = find(partition.root(), parent);
        return queue == null || queue.properties().sharePolicy() != SharePolicyKind.LOAD
                ? null
                : queue.properties().load().rebalanceMinimumDuration();
    }

    /** Returns the partition with this minimum duration. */
    public static PartitionConfiguration withRebalanceMinimumDuration(
            PartitionConfiguration partition, String parent, Duration duration) {
        return edit(partition, parent, queue -> {
            QueueProperties properties = queue.properties();
            return queue.withProperties(properties.withLoad(
                    properties.load().withRebalance(properties.load().rebalanceThreshold(), duration)));
        });
    }

    /**
     * Returns the path of the class that a rule maps requestors to, or null if the rule is not part of a requestor map.
     */
    private static @Nullable String classOf(PartitionConfiguration partition, PlacementRule rule) {
        RuleFilter filter = rule.filter();
        boolean maps = rule.kind() == PlacementRule.Kind.FIXED
                && rule.parent() == null
                && filter.allow()
                && filter.users().size() == 1
                && filter.groups().isEmpty();
        String path = rule.value().startsWith("root.") ? rule.value() : "root." + rule.value();
        int dot = path.lastIndexOf('.');
        QueueConfiguration parent = maps ? find(partition.root(), path.substring(0, dot)) : null;
        return parent != null
                        && parent.properties().sharePolicy() == SharePolicyKind.LOAD
                        && find(partition.root(), path) != null
                ? path
                : null;
    }

    private static @Nullable QueueConfiguration find(QueueConfiguration root, String path) {
        QueueConfiguration found = null;
        for (String name : path.split("\\.", -1)) {
            found = found == null
                    ? (name.equals(root.name()) ? root : null)
                    : found.children().stream()
                            .filter(child -> child.name().equals(name))
                            .findFirst()
                            .orElse(null);
            if (found == null) {
                return null;
            }
        }
        return found;
    }

    /** Returns the partition with a changed parent, which must share by load. */
    private static PartitionConfiguration edit(
            PartitionConfiguration partition, String parent, UnaryOperator<QueueConfiguration> change) {
        QueueConfiguration found = find(partition.root(), parent);
        if (found == null || found.properties().sharePolicy() != SharePolicyKind.LOAD) {
            throw new IllegalArgumentException(
                    found == null ? "queue " + parent + " not found" : "queue " + parent + " does not share by load");
        }
        return partition.withRoot(replace(partition.root(), partition.root().name(), parent, change.apply(found)));
    }

    /** Returns the queue at this path with the queue at {@code where}, itself or below it, replaced. */
    private static QueueConfiguration replace(
            QueueConfiguration queue, String path, String where, QueueConfiguration latter) {
        if (path.equals(where)) {
            return latter;
        }
        return (where + ".").startsWith(path + ".")
                ? queue.withChildren(queue.children().stream()
                        .map(child -> replace(child, path + "." + child.name(), where, latter))
                        .toList())
                : queue;
    }
}
