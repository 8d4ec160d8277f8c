package dev.sluice.core.application;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What to change of an application that has not ended. Tasks on nodes keep what they have; if they run again, the
 * change holds for them, too.
 *
 * @param queue the queue to move it to, or null
 * @param task the name of the tasks to change, or null for all tasks of the application
 * @param priority the new priority of the tasks, or null
 * @param timeout the new maximum duration of one run, or null
 * @param resources the new amounts of the types that it names; other types are unchanged
 * @param nodeAffinity the nodes that the tasks require and prefer from now on, or null
 */
public record ApplicationUpdate(
        @Nullable String queue,
        @Nullable String task,
        @Nullable Integer priority,
        @Nullable Duration timeout,
        Resources resources,
        @Nullable NodeAffinity nodeAffinity) {

    /** Throws {@link IllegalArgumentException} if the timeout is not positive. */
    public ApplicationUpdate {
        if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
            throw new IllegalArgumentException("timeout must be greater than 0: " + timeout);
        }
    }

    /** Creates an update that leaves the node affinity as it is. */
    public ApplicationUpdate(
            @Nullable String queue,
            @Nullable String task,
            @Nullable Integer priority,
            @Nullable Duration timeout,
            Resources resources) {
        this(queue, task, priority, timeout, resources, null);
    }

    /** Returns an update that moves an application to another queue. */
    public static ApplicationUpdate ofQueue(String queue) {
        return new ApplicationUpdate(queue, null, null, null, Resources.NONE);
    }

    /** Returns an update of the resources of all tasks. */
    public static ApplicationUpdate ofResources(Resources resources) {
        return new ApplicationUpdate(null, null, null, null, resources);
    }

    /** Returns an update of the priority of all tasks. */
    public static ApplicationUpdate ofPriority(int priority) {
        return new ApplicationUpdate(null, null, priority, null, Resources.NONE);
    }

    /** Returns an update of the nodes that all tasks require and prefer. */
    public static ApplicationUpdate ofNodeAffinity(NodeAffinity nodeAffinity) {
        return new ApplicationUpdate(null, null, null, null, Resources.NONE, nodeAffinity);
    }

    /** Returns this update for the tasks of a name, or for all. */
    public ApplicationUpdate withTask(@Nullable String name) {
        return new ApplicationUpdate(queue, name, priority, timeout, resources, nodeAffinity);
    }

    /** Returns this update with another queue, or none. */
    public ApplicationUpdate withQueue(@Nullable String path) {
        return new ApplicationUpdate(path, task, priority, timeout, resources, nodeAffinity);
    }

    /** Returns whether it changes tasks. */
    public boolean changesTasks() {
        return priority != null || timeout != null || !resources.isEmpty() || nodeAffinity != null;
    }

    /** Returns the specification with these changes; the same object if they change nothing. */
    public TaskKind applyTo(TaskKind kind) {
        TaskKind changed = priority == null ? kind : kind.withPriority(priority);
        if (timeout != null) {
            Attempts attempts = kind.attempts();
            changed = changed.withAttempts(attempts.withTimeout(timeout));
        }
        if (!resources.isEmpty()) {
            SortedMap<String, Amount> amounts = new TreeMap<>(kind.resources().amounts());
            amounts.putAll(resources.amounts());
            changed = changed.withResources(Resources.of(amounts));
        }
        if (nodeAffinity != null) {
            Constraints constraints = changed.constraints().withNodeAffinity(nodeAffinity);
            changed = changed.withConstraints(constraints, changed.requiredNode());
        }
        return changed.equals(kind) ? kind : changed;
    }
}
