package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Changes applications that have not ended: their queue, and what their tasks request. */
final class UpdateHandler {

    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final QueuePlacement placement = new QueuePlacement();

    UpdateHandler(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    @Nullable Refusal update(Partition partition, Application application, ApplicationUpdate update, Instant now) {
        String cannot = "cannot update application " + application.id() + ": ";
        if (application.state() == ApplicationState.FAILING) {
            return new Refusal(Refusal.Code.CONFLICT, cannot + "it is failing");
        }
        if (update.queue() == null && !update.changesTasks()) {
            return new Refusal(
                    Refusal.Code.INVALID, cannot + "nothing is changed; give a queue, priority, timeout or resources");
        }
        Refusal refusal = checkTasks(partition, application, update, cannot);
        if (refusal != null || update.queue() == null) {
            return refusal == null ? apply(partition, application, update, now) : refusal;
        }
        QueuePlacement.Result placed = placement.place(application.spec().withQueue(update.queue()), partition);
        refusal = checkQueue(partition, application, update.queue(), placed, cannot);
        if (refusal != null) {
            return refusal;
        }
        String target = placed.queue();
        if (target != null && placed.create()) {
            emitter.emit(new PartitionEvent.QueueCreated(partition.name(), target, now));
        }
        Queue before = application.queue();
        boolean moved = !before.path().equals(target);
        apply(partition, application, update.withQueue(moved ? target : null), now);
        if (moved) {
            lifecycle.removeEmpty(partition, before, now);
        }
        return null;
    }

    private @Nullable Refusal apply(
            Partition partition, Application application, ApplicationUpdate update, Instant now) {
        boolean changes = update.queue() != null
                || application.groups().stream()
                        .anyMatch(group -> group.isUpdatedBy(update)
                                && !update.applyTo(group.kind()).equals(group.kind()));
        if (changes) {
            emitter.emit(new ApplicationEvent.Updated(
                    partition.name(), application.id(), application.origin(), update, now));
        }
        return null;
    }

    private static @Nullable Refusal checkTasks(
            Partition partition, Application application, ApplicationUpdate update, String cannot) {
        String name = update.task();
        TaskGroup named = name == null ? null : application.group(name);
        if (name != null && !update.changesTasks()) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    cannot + "a queue is that of the whole application; remove the task, or give a priority, timeout or"
                            + " resources");
        }
        if (name != null && named == null) {
            return new Refusal(
                    Refusal.Code.NOT_FOUND, "task " + name + " not found in application " + application.id());
        }
        if (!update.changesTasks()) {
            return null;
        }
        if (application.groups().stream().noneMatch(group -> group.isUpdatedBy(update))) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    cannot + (name == null ? "it has no tasks that could still run" : "task " + name + " has ended"));
        }
        if (update.resources().names(ResourceTypes.SLOTS)) {
            return new Refusal(Refusal.Code.INVALID, cannot + "slots cannot be requested, every task takes one");
        }
        return TaskValidator.validateUpdate(partition, application, update);
    }

    private static @Nullable Refusal checkQueue(
            Partition partition, Application application, String asked, QueuePlacement.Result placed, String cannot) {
        String target = placed.queue();
        if (target == null) {
            return new Refusal(Refusal.Code.INVALID, cannot + placed.reason());
        }
        if (!target.equals(QueuePlacement.qualified(asked))) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    cannot + "the placement rules put it into queue " + target + ", not into " + asked);
        }
        if (target.equals(application.queue().path())) {
            return null;
        }
        if (application.boundTasks() > 0) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    cannot + "it cannot change its queue while tasks are on nodes (" + application.boundTasks()
                            + "); hold it, wait until they have ended or stop them, and update it then");
        }
        Queue full = application.isActive() ? firstFull(partition.queues().find(target), application.queue()) : null;
        return full == null
                ? null
                : new Refusal(
                        Refusal.Code.CONFLICT,
                        cannot + "queue " + full.path() + " is at its maximum of " + full.maxApplications()
                                + " running applications; wait until one has ended");
    }

    /** Returns the first queue, from this one up, that is full and does not contain the other one; or null. */
    private static @Nullable Queue firstFull(@Nullable Queue from, Queue current) {
        for (Queue queue = from; queue != null; queue = queue.parent()) {
            boolean shared = current == queue || current.path().startsWith(queue.path() + ".");
            if (!shared && queue.activeApplications() >= queue.maxApplications()) {
                return queue;
            }
        }
        return null;
    }
}
