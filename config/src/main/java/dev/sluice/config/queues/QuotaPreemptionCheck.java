package dev.sluice.config.queues;

import dev.sluice.config.field.Field;
import dev.sluice.core.resource.Resources;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Warns about settings of quota preemption without effect: it needs a switch of the partition, a delay, a maximum. */
final class QuotaPreemptionCheck {

    private static final String DELAY = QueuePropertyNames.QUOTA_PREEMPTION_DELAY;

    /** The key of the partition's {@code preemption} section. */
    static final String SWITCH = "quotapreemptionenabled";

    private final boolean enabled;
    private boolean anyDelay;

    private QuotaPreemptionCheck(boolean enabled) {
        this.enabled = enabled;
    }

    /**
     * Checks a partition.
     *
     * @param where the switch; null if it is not written
     * @param enabled whether it is on
     */
    static void check(QueueDraft root, @Nullable Field where, boolean enabled) {
        QuotaPreemptionCheck check = new QuotaPreemptionCheck(enabled);
        check.check(root);
        if (enabled && !check.anyDelay && where != null) {
            where.keyWarning(SWITCH + " has no effect: no queue has a " + DELAY + " above 0");
        }
    }

    private void check(QueueDraft queue) {
        boolean on = !queue.properties().preemption().quotaDelay().isZero();
        check(on, queue.max(), queue.writtenProperties());
        if (queue.childTemplate() != null && queue.section() != null) {
            Field template = queue.section().get("childtemplate");
            boolean made = !queue.childTemplate()
                    .properties()
                    .preemption()
                    .quotaDelay()
                    .isZero();
            Field properties = template == null || !template.isMap()
                    ? null
                    : template.asMap("child template").get("properties");
            check(made, queue.childTemplate().max(), QueueDraft.written(properties));
        }
        queue.children().forEach(this::check);
    }

    private void check(boolean on, Resources max, Map<String, Field> properties) {
        Field field = properties.get(DELAY);
        anyDelay |= on;
        if (on && field != null && !enabled) {
            field.warning(DELAY + " has no effect: " + SWITCH + " of the partition is not true");
        } else if (on && field != null && max.isEmpty()) {
            field.warning(DELAY + " has no effect: the queue has no maximum resources");
        }
    }
}
