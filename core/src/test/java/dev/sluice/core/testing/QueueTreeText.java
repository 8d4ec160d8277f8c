package dev.sluice.core.testing;

import dev.sluice.core.configuration.ApplicationSortPolicy;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.configuration.PreemptionPolicy;
import dev.sluice.core.configuration.QueueConfiguration;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses the drawing of a queue tree:
 *
 * <pre>
 * root            max(vcore 8)
 * ├─ production   guaranteed(vcore 4, memory 8Gi) offset(10) fence
 * │  └─ web       stateaware
 * └─ research     applications(2) priorities(disabled)
 * </pre>
 *
 * <p>Each level is indented by three columns. Attributes are {@code max}, {@code guaranteed}, {@code applications},
 * {@code offset}, {@code fence}, {@code priorities(enabled)} and {@code (disabled)}, {@code parent},
 * {@code timeout(PT1M)} and the sort policies; for share policies {@code load}, {@code percent(60)},
 * {@code threshold(10)}, {@code usage}, {@code factor(2)}, {@code halftime(PT20M)}, {@code probabilistic} (everything by random draws) and {@code draws(5)};
 * for preemption {@code preemption(fence)}, {@code delay(PT1M)}, {@code bypriority}, {@code runtime(PT5M)} and
 * {@code quota(PT1H)}; for limits {@code user(bob: vcore 2, running 1)} and {@code group(*: vcore 2)}, where {@code running} is the number of
 * applications.
 */
public final class QueueTreeText {

    private static final int INDENT = 3;
    private static final Pattern LINE = Pattern.compile("([ │├└─]*)([a-z0-9_-]+)\\s*(.*)");
    private static final Pattern ATTRIBUTE = Pattern.compile("([a-z]+)(?:\\(([^)]*)\\))?(?:\\s+|$)");

    /** A queue that is being parsed. */
    private static final class Draft {
        private final String name;
        private final List<Draft> children = new ArrayList<>();
        private Resources guaranteed = Resources.NONE;
        private Resources max = Resources.NONE;
        private long applications;
        private boolean parent;
        private final List<Limit> limits = new ArrayList<>();
        private QueueProperties properties = QueueProperties.DEFAULTS;

        private Draft(String name) {
            this.name = name;
        }

        private QueueConfiguration toConfiguration() {
            return new QueueConfiguration(
                    name,
                    parent,
                    guaranteed,
                    max,
                    applications,
                    properties,
                    "",
                    "",
                    limits,
                    null,
                    children.stream().map(Draft::toConfiguration).toList());
        }
    }

    private QueueTreeText() {}

    /** Parses the drawing of a tree; its first line is root. */
    public static QueueConfiguration of(String drawing) {
        Deque<Draft> path = new ArrayDeque<>();
        for (String line : drawing.lines().toList()) {
            Matcher matcher = LINE.matcher(line.stripTrailing());
            if (!matcher.matches() || matcher.group(1).length() % INDENT != 0) {
                throw new IllegalArgumentException("not a queue: " + line);
            }
            Draft queue = new Draft(matcher.group(2));
            readAttributes(queue, matcher.group(3));
            int depth = matcher.group(1).length() / INDENT;
            while (path.size() > depth) {
                path.pop();
            }
            if (path.size() != depth || (depth == 0) != path.isEmpty()) {
                throw new IllegalArgumentException("no parent: " + line);
            }
            if (depth > 0) {
                path.element().children.add(queue);
            }
            path.push(queue);
        }
        return path.getLast().toConfiguration();
    }

    private static void readAttributes(Draft queue, String text) {
        Matcher matcher = ATTRIBUTE.matcher(text);
        int end = 0;
        while (end < text.length() && matcher.find(end) && matcher.start() == end) {
            String value = matcher.group(2);
            readAttribute(queue, matcher.group(1), value == null ? "" : value);
            end = matcher.end();
        }
        if (end < text.length()) {
            throw new IllegalArgumentException("not an attribute of " + queue.name + ": " + text.substring(end));
        }
    }

    private static Limit limit(String value, boolean user) {
        int colon = value.indexOf(':');
        List<String> names = List.of(value.substring(0, colon));
        List<String> amounts = new ArrayList<>();
        long applications = 0;
        for (String amount : value.substring(colon + 1).strip().split(", ")) {
            if (amount.startsWith("running ")) {
                applications = Long.parseLong(amount.substring("running ".length()));
            } else {
                amounts.add(amount);
            }
        }
        Resources most = amounts.isEmpty() ? Resources.NONE : resources(String.join(", ", amounts));
        return new Limit("", user ? names : List.of(), user ? List.of() : names, most, applications);
    }

    private static void readAttribute(Draft queue, String wireName, String value) {
        QueueProperties former = queue.properties;
        switch (wireName) {
            case "max" -> queue.max = resources(value);
            case "guaranteed" -> queue.guaranteed = resources(value);
            case "applications" -> queue.applications = Long.parseLong(value);
            case "parent" -> queue.parent = true;
            case "user" -> queue.limits.add(limit(value, true));
            case "group" -> queue.limits.add(limit(value, false));
            case "offset" ->
                queue.properties = former.withPriorities(
                        former.applicationSortPriority(), Integer.parseInt(value), former.priorityFence());
            case "fence" ->
                queue.properties =
                        former.withPriorities(former.applicationSortPriority(), former.priorityOffset(), true);
            case "priorities" ->
                queue.properties =
                        former.withPriorities(value.equals("enabled"), former.priorityOffset(), former.priorityFence());
            case "timeout" -> queue.properties = former.withTaskTimeout(Duration.parse(value));
            case "preemption" ->
                queue.properties = former.withPreemption(
                        former.preemption().withPolicy(PreemptionPolicy.valueOf(value.toUpperCase(Locale.ROOT))));
            case "delay" ->
                queue.properties = former.withPreemption(former.preemption().withDelay(Duration.parse(value)));
            case "bypriority" ->
                queue.properties = former.withPreemption(former.preemption().withByPriority(true));
            case "runtime" ->
                queue.properties = former.withPreemption(former.preemption().withMinimumRuntime(Duration.parse(value)));
            case "quota" ->
                queue.properties = former.withPreemption(former.preemption().withQuotaDelay(Duration.parse(value)));
            case "load" -> queue.properties = former.withSharePolicy(SharePolicyKind.LOAD);
            case "percent" -> queue.properties = former.withLoad(former.load().withPercent(Integer.valueOf(value)));
            case "threshold" ->
                queue.properties = former.withLoad(former.load()
                        .withRebalance(Integer.parseInt(value), former.load().rebalanceMinimumDuration()));
            case "usage" -> queue.properties = former.withSharePolicy(SharePolicyKind.USAGE);
            case "factor", "halftime", "probabilistic", "draws" ->
                queue.properties = former.withUsage(usage(former.usage(), wireName, value));
            default -> queue.properties = former.withApplicationSortPolicy(policy(wireName));
        }
    }

    private static UsageProperties usage(UsageProperties former, String wireName, String value) {
        return new UsageProperties(
                wireName.equals("halftime") ? Duration.parse(value) : former.halftime(),
                wireName.equals("probabilistic") || former.probabilisticAll(),
                wireName.equals("draws") ? Long.parseLong(value) : former.drawsMax(),
                wireName.equals("factor") ? Double.parseDouble(value) : former.factor());
    }

    private static ApplicationSortPolicy policy(String wireName) {
        return Arrays.stream(ApplicationSortPolicy.values())
                .filter(policy -> policy.wireName().equals(wireName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not an attribute of a queue: " + wireName));
    }

    /** Parses amounts such as {@code vcore 2, memory 4Gi}. */
    private static Resources resources(String text) {
        return Resources.parse(text.trim().split("[,\\s]+", -1));
    }
}
