package dev.sluice.core.configuration;

import dev.sluice.core.resource.Resources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One queue and the queues below it, as configured.
 *
 * @param name the last part of the queue's path, in lower case
 * @param parent whether it may only hold queues; true whenever it has children
 * @param guaranteed what it is guaranteed, per type; empty: nothing
 * @param max the most it may use, per type; empty: no limit
 * @param maxApplications the most applications that run in it at once; 0: no limit
 * @param properties the rest of what can be set
 * @param submitAcl who may submit, as written; empty: nobody beyond the parent's
 * @param adminAcl who may administer, as written
 * @param limits what users and groups may have in it
 * @param childTemplate what queues that placement rules make below it start with, or null
 * @param children the queues below it, in configuration order
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

    /** A leaf queue with nothing set. */
    public static QueueConfiguration leaf(String name) {
        return of(name, Resources.NONE, Resources.NONE, 0, QueueProperties.DEFAULTS, List.of());
    }

    /** A parent queue with nothing set. */
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

    /** A queue with the given quotas, properties and children. */
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

    /** The same with other properties. */
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

    /** The same with other queues below it. */
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
     * What a queue starts with that a placement rule makes.
     *
     * @param maxApplications the most applications that run in it at once; 0: no limit
     * @param guaranteed what it is guaranteed
     * @param max the most it may use
     * @param properties its properties
     */
    public record ChildTemplate(
            long maxApplications, Resources guaranteed, Resources max, QueueProperties properties) {}
}
