package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.core.configuration.LoadSettings;
import dev.sluice.core.configuration.SharePolicyKind;
import org.jspecify.annotations.Nullable;

/** Warns about settings of queues that have no effect where they are written, or are not enforced yet. */
final class IneffectiveSettingsCheck {

    private IneffectiveSettingsCheck() {}

    static void check(QueueDraft root) {
        check(root, null, false, true);
    }

    /**
     * Checks a queue and its descendants.
     *
     * @param compared whether an ancestor compares the priority of the queue with others
     * @param priorityCountsAbove whether priorities count in the parent queue
     */
    private static void check(
            QueueDraft queue, @Nullable QueueDraft parent, boolean compared, boolean priorityCountsAbove) {
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
                    .warning("guaranteed has no effect: the parent queue does not have share policy fair");
        }
        if (policy == SharePolicyKind.LOAD && !queue.children().isEmpty()) {
            checkSum(queue);
        }
        checkTemplate(queue);
        Boolean own = queue.properties().applicationSortPriority();
        boolean priorityCounts = own == null ? priorityCountsAbove : own;
        boolean childrenCompared = (policy == SharePolicyKind.FAIR && priorityCounts)
                || (compared && !queue.properties().priorityFence());
        for (QueueDraft child : queue.children()) {
            check(child, queue, childrenCompared, priorityCounts);
        }
    }

    /** Returns the share policy of a parent; null for a leaf. */
    private static @Nullable SharePolicyKind policyOf(QueueDraft queue) {
        return queue.isParent() ? queue.properties().sharePolicy() : null;
    }

    /** Warns that this key is not enforced yet, unless its value is empty. */
    static void warnNotEnforced(String key, Field field) {
        boolean empty = field.isList()
                ? field.asList(key).isEmpty()
                : field.isMap()
                        ? field.asMap(key).isEmpty()
                        : String.valueOf(field.asText()).isBlank();
        if (!empty) {
            field.keyWarning(key + (key.endsWith("s") ? " are" : " is") + " not enforced yet");
        }
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
    private static void checkTemplate(QueueDraft queue) {
        Field template = queue.section() == null ? null : queue.section().get("childtemplate");
        if (template == null || !template.isMap() || !queue.isParent()) {
            return;
        }
        Field properties = template.asMap("child template").get("properties");
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
