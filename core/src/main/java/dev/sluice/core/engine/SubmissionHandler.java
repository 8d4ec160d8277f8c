package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.DefaultResources;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Lineage;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Users;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Accepts or refuses applications: new submissions, and adopted ones that were in a partition before. */
final class SubmissionHandler {

    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final QueuePlacement placement = new QueuePlacement();

    SubmissionHandler(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    /** Submits an application; a numbered one gets its name and the next number as its id. */
    @Nullable Refusal submit(Partition partition, ApplicationSpec submitted, boolean numbered, Instant now) {
        long number = numbered ? partition.nextNumber(submitted.name()) : 0;
        String id = numbered ? ApplicationSpec.numberedId(submitted.name(), number) : submitted.id();
        if (id.length() > TaskSpec.NAME_LENGTH_MAX) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "the name of the application is too long to be numbered: give it an id, or a shorter name");
        }
        ApplicationSpec spec = completed(partition, numbered ? submitted.withId(id) : submitted);
        Refusal refusal = validate(partition, spec);
        Map<String, ApplicationCondition> awaited = new LinkedHashMap<>();
        if (refusal == null) {
            refusal = resolve(partition, spec, awaited);
        }
        if (refusal == null) {
            refusal = checkNotReplaced(partition, spec);
        }
        if (refusal == null) {
            refusal = checkAdmissionLimits(partition, spec.user());
        }
        if (refusal == null) {
            ApplicationSpec inherited = spec.withTasks(inheriting(partition, spec, spec.tasks()))
                    .withStart(spec.start().withAfter(awaited));
            accept(partition, inherited, placement.place(spec, partition), number, now);
            cancelUnsatisfiable(partition, inherited, now);
            cancelReplaced(partition, spec, now);
        }
        return refusal;
    }

    @Nullable Refusal adopt(Partition partition, ApplicationSpec adopted, Instant now) {
        ApplicationSpec spec = completed(partition, adopted);
        Refusal refusal = validate(partition, spec);
        if (refusal == null) {
            boolean named = spec.queue() != null;
            QueuePlacement.Result placed = named ? placement.keep(spec, partition) : placement.place(spec, partition);
            accept(partition, spec, placed, 0, now);
        }
        return refusal;
    }

    /** Runs tasks of an ended application again: the unsuccessful ones, or all. */
    @Nullable Refusal retry(Partition partition, Application application, boolean all, Instant now) {
        Refusal refusal = checkRetryable(application, all);
        if (refusal == null) {
            refusal = checkNotReplaced(partition, application.spec());
        }
        if (refusal == null) {
            refusal = checkAdmissionLimits(partition, application.spec().user());
        }
        return refusal == null ? runAgain(partition, application, all, now) : refusal;
    }

    private @Nullable Refusal runAgain(Partition partition, Application application, boolean all, Instant now) {
        QueuePlacement.Result placed = placeAgain(partition, application);
        String queue = placed.queue();
        if (queue == null) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    "cannot retry application " + application.id() + ": " + placed.reason()
                            + "; submit it again to another queue");
        }
        if (placed.create()) {
            emitter.emit(new PartitionEvent.QueueCreated(partition.name(), queue, now));
        }
        emitter.emit(new ApplicationEvent.Retried(partition.name(), application.id(), application.origin(), all, now));
        lifecycle.move(partition, application, ApplicationState.RESUMING, "retried", now);
        lifecycle.updateState(partition, application, now);
        return null;
    }

    private static @Nullable Refusal checkRetryable(Application application, boolean all) {
        String cannot = "cannot retry application " + application.id() + ": ";
        if (!application.state().isEnded()) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    cannot + "it has not ended (" + application.state().wireName() + ")");
        }
        if (application.tasks() == 0) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    cannot + "it has no tasks" + (application.hasQueue() ? "" : ", since no queue accepted it"));
        }
        if (!all && application.failed() + application.stopped() == 0) {
            return new Refusal(
                    Refusal.Code.CONFLICT, cannot + "all its tasks succeeded; retry all tasks to run them again");
        }
        if (!all && !application.isUnsuccessfulKnown()) {
            return new Refusal(
                    Refusal.Code.CONFLICT,
                    cannot + "an earlier release did not record which tasks failed; retry all tasks");
        }
        return null;
    }

    /**
     * Finds the queue of an ended application again: the one with the same path, which must exist and accept
     * applications, or be one that the placement rules create for it.
     */
    private QueuePlacement.Result placeAgain(Partition partition, Application application) {
        String path = application.origin().queue();
        ApplicationSpec moved = application.spec().withQueue(path); // an update may have moved it there
        QueuePlacement.Result present = placement.keep(moved, partition);
        if (present.queue() == null) {
            for (ApplicationSpec spec : List.of(application.spec(), moved)) {
                QueuePlacement.Result placed = placement.place(spec, partition);
                if (path.equals(placed.queue())) {
                    return placed;
                }
            }
        }
        return present;
    }

    /** Adds the ids and conditions of the applications that this one waits for, which it may name otherwise. */
    private static @Nullable Refusal resolve(
            Partition partition, ApplicationSpec spec, Map<String, ApplicationCondition> awaited) {
        for (Map.Entry<String, ApplicationCondition> after :
                spec.start().after().entrySet()) {
            String named = after.getKey();
            Application other = named.equals(spec.id()) ? null : awaited(partition, named);
            if (other == null) {
                return new Refusal(
                        Refusal.Code.NOT_FOUND,
                        "application " + named + " not found in partition " + partition.name() + ": application "
                                + spec.id() + " can only start after one that was submitted before and is remembered;"
                                + " submit that one first, or remove it from after");
            }
            ApplicationCondition known = awaited.put(other.id(), after.getValue());
            if (known != null && known != after.getValue()) {
                return new Refusal(
                        Refusal.Code.INVALID,
                        "after names application " + other.id() + " twice, with different conditions ("
                                + known.wireName() + ", " + after.getValue().wireName() + "): remove one");
            }
        }
        return null;
    }

    /** Returns the application with this id, otherwise the newest one with this name, or null. */
    private static @Nullable Application awaited(Partition partition, String idOrName) {
        Application found = partition.application(idOrName);
        return found == null ? partition.newestNamed(idOrName) : found;
    }

    /** Cancels a just accepted application that waits for one that has already ended otherwise. */
    private void cancelUnsatisfiable(Partition partition, ApplicationSpec spec, Instant now) {
        spec.start().after().forEach((other, condition) -> {
            Application awaited = partition.application(other);
            if (awaited != null && awaited.state().isEnded()) {
                lifecycle.cancelUnlessMet(partition, partition.existing(spec.id()), awaited, condition, now);
            }
        });
    }

    private static ApplicationSpec completed(Partition partition, ApplicationSpec spec) {
        boolean withoutCores = partition.isWithoutCores();
        return DefaultResources.isAnyMissing(spec.tasks(), withoutCores)
                ? spec.withTasks(DefaultResources.complete(spec.tasks(), withoutCores))
                : spec;
    }

    private static @Nullable Refusal validate(Partition partition, ApplicationSpec spec) {
        Application existing = partition.application(spec.id());
        if (existing != null && !mayReplace(existing, spec.user())) {
            return new Refusal(
                    Refusal.Code.DUPLICATE,
                    "application " + spec.id() + " already exists ("
                            + existing.state().wireName()
                            + "): choose another id, or submit it without one to get its name and a number"
                            + (existing.state().isEnded() ? "; or remove the ended one" : ""));
        }
        if (spec.sealed() && spec.tasks().isEmpty()) {
            return new Refusal(Refusal.Code.INVALID, "application " + spec.id() + " is sealed but has no tasks");
        }
        Refusal refusal = NameValidator.validate(spec);
        if (refusal == null) {
            refusal = TaskValidator.validate(partition, null, spec.tasks());
        }
        return refusal == null ? GangValidator.validate(partition, spec) : refusal;
    }

    /** Whether a submission of this user may take the place of an application: a rejected one of the same user. */
    private static boolean mayReplace(Application existing, String user) {
        return existing.state() == ApplicationState.REJECTED
                && existing.spec().user().equals(user);
    }

    private static @Nullable Refusal checkNotReplaced(Partition partition, ApplicationSpec spec) {
        Lineage lineage = findLineage(partition, spec);
        String tag = spec.tag();
        String successor = lineage == null || tag == null ? null : lineage.successor(tag);
        if (lineage == null || successor == null) {
            return null;
        }
        return new Refusal(
                Refusal.Code.CONFLICT,
                "tag " + tag + " of user " + spec.user() + " and basis " + spec.basis() + " was replaced by tag "
                        + successor + ": submit with the current tag " + lineage.tag() + " or a new tag");
    }

    private static @Nullable Lineage findLineage(Partition partition, ApplicationSpec spec) {
        return spec.basis() == null ? null : partition.lineages().find(spec.user(), spec.basis());
    }

    /**
     * Returns the tasks with the priority they inherit. If another live application of the same user and tag exists and
     * has tasks, they get the highest priority of the first such application; otherwise they are returned unchanged.
     */
    static List<TaskSpec> inheriting(Partition partition, ApplicationSpec spec, List<TaskSpec> tasks) {
        if (spec.tag() == null) {
            return tasks;
        }
        Iterator<Application> living =
                partition.lineages().living(spec.user(), spec.tag()).iterator();
        Application first = living.hasNext() ? living.next() : null;
        if (first == null
                || first.id().equals(spec.id())
                || first.highestPriority().isEmpty()) {
            return tasks;
        }
        int priority = first.highestPriority().getAsInt();
        return tasks.stream().map(task -> task.withPriority(priority)).toList();
    }

    /** Cancels the applications that a just accepted application replaces, unless it was rejected. */
    private void cancelReplaced(Partition partition, ApplicationSpec spec, Instant now) {
        Lineage lineage = findLineage(partition, spec);
        String tag = spec.tag();
        if (lineage == null || tag == null || !partition.existing(spec.id()).hasQueue()) {
            return;
        }
        String reason = "replaced by application " + spec.id() + " with tag " + tag;
        for (Application replaced : lineage.livingExcept(tag)) {
            lifecycle.cancelIfLive(partition, replaced, reason, now); // the end of another one may have cancelled it
        }
    }

    private static @Nullable Refusal checkAdmissionLimits(Partition partition, String user) {
        AdmissionLimits limits = partition.configuration().root().properties().admission();
        Users users = partition.users();
        int own = users.applicationsOf(user);
        int activeUsers = users.applications().size();
        if (limits.maxApplicationsPerUser() > 0 && own >= limits.maxApplicationsPerUser()) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "too many unfinished applications of user " + user + ": " + own
                            + ", and admission.maxapplicationsperuser is " + limits.maxApplicationsPerUser()
                            + "; wait until one ends, or cancel one");
        }
        if (limits.maxUsers() > 0 && own == 0 && activeUsers >= limits.maxUsers()) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "too many users with unfinished applications: " + activeUsers + ", and admission.maxusers is "
                            + limits.maxUsers() + "; wait until all applications of one of them have ended");
        }
        return null;
    }

    private void accept(
            Partition partition, ApplicationSpec spec, QueuePlacement.Result placed, long number, Instant now) {
        String queue = placed.queue();
        if (queue != null && placed.create()) {
            emitter.emit(new PartitionEvent.QueueCreated(partition.name(), queue, now));
        }
        emitter.emit(new ApplicationEvent.Submitted(partition.name(), spec.withoutTasks(), queue, now, number));
        Application application = partition.existing(spec.id());
        if (queue == null) {
            lifecycle.move(partition, application, ApplicationState.REJECTED, placed.reason(), now);
            return;
        }
        if (!spec.tasks().isEmpty()) {
            emitter.emit(new ApplicationEvent.TasksAdded(
                    partition.name(), spec.id(), partition.existing(spec.id()).origin(), spec.tasks(), now));
        }
        lifecycle.updateState(partition, application, now);
    }
}
