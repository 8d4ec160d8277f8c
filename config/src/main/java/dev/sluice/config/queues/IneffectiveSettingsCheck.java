package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.core.configuration.LoadSettings;
import dev.sluice.core.configuration.QueueProperties;
import dev.sluice.core.configuration.SharePolicyKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Warns about settings of queues that have no effect where they are written. */
final class IneffectiveSettingsCheck {

    private static final String DISABLED = " has no effect: preemption.enabled of the partition is false";

    private final boolean preemption;

    /**
     * Creates the check of one partition.
     *
     * @param preemption whether its preemption is enabled
     */
    IneffectiveSettingsCheck(boolean preemption) {
        this.preemption = preemption;
    }

    void check(QueueDraft root) {
        check(root, null, false, true);
    }

    /**
     * Checks a queue and its descendants.
     *
     * @param compared whether an ancestor compares the priority of the queue with others
     * @param priorityCountsAbove whether priorities count in the parent queue
     */
    private void check(QueueDraft queue, @Nullable QueueDraft parent, boolean compared, boolean priorityCountsAbove) {
        SharePolicyKind policy = policyOf(queue);
        SharePolicyKind policyAbove = parent == null ? null : policyOf(parent);
        queue.writtenProperties().forEach((property, field) -> {
            PropertyScope scope = PropertyScope.TABLE.get(property);
            String warning =
                    scope == null ? null : scope.warning(property, queue.path(), policy, policyAbove, compared);
            if (warning != null) {
                field.warning(warning);
            }
        });
        if (policyAbove == SharePolicyKind.LOAD && queue.properties().load().percent() == null) {
            queue.position("name")
                    .warning(queue.path() + " has no " + QueuePropertyNames.LOAD_PERCENT
                            + ", so its entitlement is 0 % and it gets no workers");
        }
        if (policyAbove != null
                && policyAbove != SharePolicyKind.FAIR
                && !queue.guaranteed().isEmpty()) {
            queue.resourcesPosition("guaranteed")
                    .warning(
                            "guaranteed has no effect except to protect from preemption: the parent queue does not have share policy fair");
        }
        if (policy == SharePolicyKind.LOAD && !queue.children().isEmpty()) {
            checkSum(queue);
        }
        boolean priorityCounts = priorityCounts(queue.properties(), priorityCountsAbove);
        checkTemplate(queue, priorityCounts);
        boolean childrenCompared = (policy == SharePolicyKind.FAIR && priorityCounts)
                || (compared && !queue.properties().priorityFence());
        checkPreemption(queue.writtenProperties(), queue.properties(), benefits(queue, priorityCountsAbove));
        for (QueueDraft child : queue.children()) {
            check(child, queue, childrenCompared, priorityCounts);
        }
    }

    private static boolean priorityCounts(QueueProperties properties, boolean above) {
        Boolean own = properties.applicationSortPriority();
        return own == null ? above : own;
    }

    /**
     * Warns about settings for the beneficiaries of preemption.
     *
     * @param written the properties as written
     * @param benefits whether tasks could preempt those of lower priority if that was enabled
     */
    private void checkPreemption(Map<String, Field> written, QueueProperties properties, boolean benefits) {
        Field delay = written.get(QueuePropertyNames.PREEMPTION_DELAY);
        if (delay != null && !preemption) {
            delay.warning(QueuePropertyNames.PREEMPTION_DELAY + DISABLED);
        }
        Field byPriority = written.get(QueuePropertyNames.PREEMPTION_PRIORITY);
        if (byPriority == null || !Boolean.TRUE.equals(properties.preemption().byPriority())) {
            return;
        }
        if (!preemption) {
            byPriority.warning(QueuePropertyNames.PREEMPTION_PRIORITY + DISABLED);
        } else if (!benefits) {
            byPriority.warning(QueuePropertyNames.PREEMPTION_PRIORITY + " has no effect: "
                    + QueuePropertyNames.SORT_PRIORITY + " is disabled");
        }
    }

    /** Returns whether priorities may count in a leaf that inherits {@code preemption.priority} from this queue. */
    private static boolean benefits(QueueDraft queue, boolean priorityCountsAbove) {
        boolean counts = priorityCounts(queue.properties(), priorityCountsAbove);
        boolean ofTemplate = queue.childTemplate() != null
                && priorityCounts(queue.childTemplate().properties(), counts);
        return counts
                || ofTemplate
                || queue.children().stream()
                        .anyMatch(child -> !Boolean.FALSE.equals(
                                        child.properties().preemption().byPriority())
                                && benefits(child, counts));
    }

    /** Returns the share policy of a parent; null for a leaf. */
    private static @Nullable SharePolicyKind policyOf(QueueDraft queue) {
        return queue.isParent() ? queue.properties().sharePolicy() : null;
    }

    private static void checkSum(QueueDraft queue) {
        String warning = LoadSettings.percentWarning(
                queue.path(),
                queue.children().stream()
                        .map(child -> child.properties().load().percentOrZero())
                        .toList());
        if (warning != null) {
            queue.position("queues").warning(warning);
        }
    }

    /** Checks the properties that the template gives to leaf queues which placement rules create below this queue. */
    private void checkTemplate(QueueDraft queue, boolean priorityCountsAbove) {
        Field template = queue.section() == null ? null : queue.section().get("childtemplate");
        if (template == null || !template.isMap() || !queue.isParent()) {
            return;
        }
        Field properties = template.asMap("child template").get("properties");
        if (queue.childTemplate() != null) {
            QueueProperties made = queue.childTemplate().properties();
            checkPreemption(QueueDraft.written(properties), made, priorityCounts(made, priorityCountsAbove));
        }
        QueueDraft.written(properties).forEach((property, field) -> {
            PropertyScope scope = PropertyScope.TABLE.get(property);
            String warning = scope == null ? null : templateWarning(scope, property, queue);
            if (warning != null) {
                field.warning(warning);
            }
        });
    }

    private static @Nullable String templateWarning(PropertyScope scope, String property, QueueDraft queue) {
        SharePolicyKind wanted = scope == PropertyScope.LOAD_CHILD
                ? SharePolicyKind.LOAD
                : scope == PropertyScope.USAGE_CHILD ? SharePolicyKind.USAGE : null;
        if (wanted != null) {
            return hasPolicy(queue, wanted)
                    ? null
                    : property + " has no effect: no queue created from the template has a parent with share policy "
                            + wanted.wireName();
        }
        return switch (scope) {
            case PARENT, LOAD_PARENT, USAGE_PARENT ->
                property + " has no effect: queues created from a template are leaves";
            default -> scope.warning(property, queue.path(), null, null, true);
        };
    }

    /** Returns whether this queue has the share policy, or a descendant that the template applies to. */
    private static boolean hasPolicy(QueueDraft queue, SharePolicyKind wanted) {
        return policyOf(queue) == wanted
                || queue.children().stream()
                        .anyMatch(child -> child.childTemplate() == null && hasPolicy(child, wanted));
    }
}
