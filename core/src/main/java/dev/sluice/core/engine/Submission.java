package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.AdmissionLimits;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Users;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Takes in an application, or says why not: one that is submitted, or one that was in a partition before and is adopted. */
final class Submission {

    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final QueuePlacement placement = new QueuePlacement();

    Submission(Emitter emitter, Lifecycle lifecycle) {
        this.emitter = emitter;
        this.lifecycle = lifecycle;
    }

    @Nullable Refusal submit(Partition partition, ApplicationSpec spec, Instant now) {
        Refusal refusal = refuse(partition, spec);
        if (refusal == null) {
            refusal = refuseBeyondLimits(partition, spec.user());
        }
        if (refusal == null) {
            enter(partition, spec, placement.place(spec, partition), now);
        }
        return refusal;
    }

    @Nullable Refusal adopt(Partition partition, ApplicationSpec spec, Instant now) {
        Refusal refusal = refuse(partition, spec);
        if (refusal == null) {
            boolean named = spec.queue() != null;
            enter(partition, spec, named ? placement.stay(spec, partition) : placement.place(spec, partition), now);
        }
        return refusal;
    }

    private static @Nullable Refusal refuse(Partition partition, ApplicationSpec spec) {
        Application former = partition.application(spec.id());
        if (former != null && former.state() != ApplicationState.REJECTED) {
            return new Refusal(
                    Refusal.Code.DUPLICATE,
                    "application " + spec.id() + " is there already; it is "
                            + former.state().word());
        }
        if (spec.sealed() && spec.tasks().isEmpty()) {
            return new Refusal(
                    Refusal.Code.INVALID,
                    "application " + spec.id() + " is sealed and has no task: there is nothing to run");
        }
        return Admission.refuse(partition, null, spec.tasks());
    }

    private static @Nullable Refusal refuseBeyondLimits(Partition partition, String user) {
        AdmissionLimits limits = partition.configuration().root().properties().admission();
        Users users = partition.users();
        int own = users.applicationsOf(user);
        int others = users.applications().size();
        if (limits.maxApplicationsPerUser() > 0 && own >= limits.maxApplicationsPerUser()) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "user " + user + " may have no more applications: " + own + " have not ended, and"
                            + " admission.maxapplicationsperuser is " + limits.maxApplicationsPerUser()
                            + "; wait until one ends, or cancel one");
        }
        if (limits.maxUsers() > 0 && own == 0 && others >= limits.maxUsers()) {
            return new Refusal(
                    Refusal.Code.TOO_MUCH,
                    "no further user may have applications: " + others + " have some that have not ended, and"
                            + " admission.maxusers is " + limits.maxUsers()
                            + "; wait until all applications of one of them have ended");
        }
        return null;
    }

    private void enter(Partition partition, ApplicationSpec spec, QueuePlacement.Place place, Instant now) {
        String queue = place.queue();
        if (queue != null && place.create()) {
            emitter.emit(new PartitionEvent.QueueCreated(partition.name(), queue, now));
        }
        emitter.emit(new ApplicationEvent.Submitted(partition.name(), spec.withoutTasks(), queue, now));
        Application application = partition.existing(spec.id());
        if (queue == null) {
            lifecycle.move(partition, application, ApplicationState.REJECTED, place.reason(), now);
            return;
        }
        if (!spec.tasks().isEmpty()) {
            emitter.emit(new ApplicationEvent.TasksAdded(partition.name(), spec.id(), spec.tasks(), now));
        }
        lifecycle.settle(partition, application, now);
    }
}
