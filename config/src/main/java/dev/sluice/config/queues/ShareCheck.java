package dev.sluice.config.queues;

import dev.sluice.core.configuration.LoadSettings;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import dev.sluice.core.configuration.UsageProperties;
import org.jspecify.annotations.Nullable;

/** Warns of share policy properties that do not do what they seem to. */
final class ShareCheck {

    private ShareCheck() {}

    static void check(QueueDraft queue) {
        checkQueue(queue, null);
    }

    private static void checkQueue(QueueDraft queue, @Nullable QueueDraft parent) {
        QueueProperties properties = queue.properties();
        boolean loadAbove = parent != null && parent.properties().sharePolicy() == SharePolicyKind.LOAD;
        boolean usageAbove = parent != null && parent.properties().sharePolicy() == SharePolicyKind.USAGE;
        if (!queue.isParent() && properties.sharePolicy() != SharePolicyKind.FAIR) {
            warn(queue, QueuePropertyNames.SHARE_POLICY, "there is no queue below " + queue.path());
        }
        if (properties.load().percent() != null && !loadAbove) {
            warn(queue, QueuePropertyNames.LOAD_PERCENT, "the queue above it does not have the share policy load");
        } else if (properties.load().percent() == null && loadAbove) {
            queue.place("name")
                    .warning(queue.path() + " has no " + QueuePropertyNames.LOAD_PERCENT
                            + ", so it is a class at 0 % and never served");
        }
        if (properties.usage().factor() != 1 && !usageAbove) {
            warn(queue, QueuePropertyNames.USAGE_FACTOR, "the queue above it does not have the share policy usage");
        }
        boolean load = properties.sharePolicy() == SharePolicyKind.LOAD;
        boolean usage = properties.sharePolicy() == SharePolicyKind.USAGE;
        if (!load && properties.load().rebalanceThreshold() != 0) {
            warn(queue, QueuePropertyNames.REBALANCE_THRESHOLD, "this queue does not have the share policy load");
        }
        if (!usage) {
            checkUsage(queue);
        }
        if (load && !queue.children().isEmpty()) {
            checkSum(queue);
        }
        for (QueueDraft child : queue.children()) {
            checkQueue(child, queue);
        }
    }

    private static void checkUsage(QueueDraft queue) {
        UsageProperties properties = queue.properties().usage();
        UsageProperties defaults = UsageProperties.DEFAULTS;
        String reason = "this queue does not have the share policy usage";
        if (!properties.halftime().equals(defaults.halftime())) {
            warn(queue, QueuePropertyNames.USAGE_HALFTIME, reason);
        }
        if (properties.probabilisticAll()) {
            warn(queue, QueuePropertyNames.USAGE_PROBABILISTIC, reason);
        }
        if (properties.drawsMax() != defaults.drawsMax()) {
            warn(queue, QueuePropertyNames.USAGE_DRAWS, reason);
        }
    }

    private static void warn(QueueDraft queue, String property, String reason) {
        queue.propertyPlace(property).warning(property + " has no effect: " + reason);
    }

    private static void checkSum(QueueDraft queue) {
        String warning = LoadSettings.percentWarning(
                queue.path(),
                queue.children().stream()
                        .map(child -> child.properties().load().percentOrZero())
                        .toList());
        if (warning != null) {
            queue.place("queues").warning(warning);
        }
    }
}
