package dev.sluice.core.configuration;

import dev.sluice.core.resource.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a queue and the queues below it.
 *
 * @param name the last part of the queue's path, in lower case
 * @param parent whether it may only contain queues; always true if it has children
 * @param guaranteed the guaranteed amount per resource type; empty: nothing
 * @param max the maximum per resource type; empty: unlimited
 * @param maxApplications the maximum number of running applications; 0: unlimited
 * @param properties all other properties
 * @param submitAcl who may submit, as written; empty: only those whom an ancestor allows
 * @param adminAcl who may administer, as written
 * @param limits the limits of users and groups
 * @param childTemplate the template of queues that placement rules create below it, or null
 * @param children the child queues, in configuration order
 */
public record QueueConfiguration(
        String name,
        boolean parent,
        Resources guaranteed,
        Resources max,
        long maxApplications,
        QueueProperties properties,
        String submitAcl,
        String adminAcl,
        List<Limit> limits,
        @Nullable ChildTemplate childTemplate,
        List<QueueConfiguration> children) {

    /** Copies the lists; a queue with children is a parent. */
    public QueueConfiguration {
        limits = List.copyOf(limits);
        children = List.copyOf(children);
        parent = parent || !children.isEmpty();
    }

    /** Returns a leaf queue with default settings. */
    public static QueueConfiguration leaf(String name) {
        return of(name, Resources.NONE, Resources.NONE, 0, QueueProperties.DEFAULTS, List.of());
    }

    /** Returns a parent queue with default settings. */
    public static QueueConfiguration parent(String name, QueueConfiguration... children) {
        QueueConfiguration queue =
                of(name, Resources.NONE, Resources.NONE, 0, QueueProperties.DEFAULTS, List.of(children));
        return new QueueConfiguration(
                name,
                true,
                queue.guaranteed,
                queue.max,
                queue.maxApplications,
                queue.properties,
                "",
                "",
                List.of(),
                null,
                queue.children);
    }

    /** Returns a queue with these quotas, properties and children. */
    public static QueueConfiguration of(
            String name,
            Resources guaranteed,
            Resources max,
            long maxApplications,
            QueueProperties properties,
            List<QueueConfiguration> children) {
        return new QueueConfiguration(
                name, false, guaranteed, max, maxApplications, properties, "", "", List.of(), null, children);
    }

    public QueueConfiguration withQuotas(Resources newGuaranteed, Resources newMax, long newMaxApplications) {
        return new QueueConfiguration(
                name,
                parent,
                newGuaranteed,
                newMax,
                newMaxApplications,
                properties,
                submitAcl,
                adminAcl,
                limits,
                childTemplate,
                children);
    }

    /** Returns whether guaranteed resources, maximum and maximum number of applications are those of the other one. */
    public boolean hasQuotasOf(QueueConfiguration other) {
        return guaranteed.equals(other.guaranteed) && max.equals(other.max) && maxApplications == other.maxApplications;
    }

    public QueueConfiguration withProperties(QueueProperties newProperties) {
        return new QueueConfiguration(
                name,
                parent,
                guaranteed,
                max,
                maxApplications,
                newProperties,
                submitAcl,
                adminAcl,
                limits,
                childTemplate,
                children);
    }

    public QueueConfiguration withLimits(List<Limit> newLimits) {
        return new QueueConfiguration(
                name,
                parent,
                guaranteed,
                max,
                maxApplications,
                properties,
                submitAcl,
                adminAcl,
                newLimits,
                childTemplate,
                children);
    }

    public QueueConfiguration withChildren(List<QueueConfiguration> newChildren) {
        return new QueueConfiguration(
                name,
                parent,
                guaranteed,
                max,
                maxApplications,
                properties,
                submitAcl,
                adminAcl,
                limits,
                childTemplate,
                newChildren);
    }

    /**
     * The initial settings of a queue that a placement rule creates.
     *
     * @param maxApplications the maximum number of running applications; 0: unlimited
     * @param guaranteed the guaranteed amount per resource type
     * @param max the maximum per resource type
     * @param properties its properties
     */
    public record ChildTemplate(long maxApplications, Resources guaranteed, Resources max, QueueProperties properties) {

        /** Returns a leaf queue with these settings. */
        public QueueConfiguration leaf(String name) {
            return of(name, guaranteed, max, maxApplications, properties, List.of());
        }
    }
}
