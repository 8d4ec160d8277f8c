package dev.sluice.server.routes;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.placement.QueuePlacement;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.Ownership.Relation;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What callers may do with applications and queues. The role has been checked before; the {@link Ownership} of the route
 * says which applications it permits, and {@code submitacl} and {@code adminacl} who may submit. Called on the
 * scheduler's thread, in the transaction that uses the permission. Callers whom nothing verifies may do everything.
 */
final class Permissions {

    private Permissions() {}

    private static boolean isUnverified(Caller caller) {
        return caller.source() == Caller.Source.UNVERIFIED;
    }

    /** Returns whether the route of a call may be called for this application. */
    static boolean permits(Call call, Partition partition, Application application) {
        return isUnverified(call.caller()) || permits(call.caller(), call.route(), partition, application);
    }

    /** Returns whether a caller may call a route for this application. */
    static boolean permits(Caller caller, Route route, Partition partition, Application application) {
        String queue = application.hasQueue() ? application.queue().path() : "";
        return permits(caller, route, partition, queue, application.spec().user());
    }

    private static boolean permits(
            Caller caller, Route route, @Nullable Partition partition, String queue, String owner) {
        return isUnverified(caller)
                || route.ownership().permits(caller.role(), relation(caller, partition, queue, owner));
    }

    private static Relation relation(Caller caller, @Nullable Partition partition, String queue, String owner) {
        if (!caller.user().isEmpty() && caller.user().equals(owner)) {
            return Relation.OWNER;
        }
        return partition != null && partition.access().mayAdminister(queue, caller.user(), caller.groups())
                ? Relation.QUEUE_ADMIN
                : Relation.OTHER;
    }

    /** Throws a problem unless the route of the call may be called for this application. */
    static void require(Call call, Partition partition, Application application) {
        String queue = application.hasQueue() ? application.queue().path() : "";
        require(call, partition, application.id(), queue, application.spec().user());
    }

    /**
     * Throws a problem unless the route of the call may be called for an application, which may have expired.
     *
     * @param partition its partition, or null if that does not exist any more
     * @param queue its queue; empty if it has none
     * @param owner its user
     */
    static void require(Call call, @Nullable Partition partition, String id, String queue, String owner) {
        Caller caller = call.caller();
        if (isUnverified(caller) || permits(caller, call.route(), partition, queue, owner)) {
            return;
        }
        boolean own = call.route().ownership() == Ownership.OWN;
        throw ProblemException.of(
                ProblemKind.FORBIDDEN,
                call.route().action(id) + " requires its user " + owner
                        + (own || queue.isEmpty() ? "" : ", an admin of queue " + queue + " (adminacl)")
                        + " or the role " + (own ? Role.ADMIN : Role.OPERATOR).wireName() + ", but user "
                        + caller.user() + " has the role " + caller.role().wireName());
    }

    /** Throws a problem unless the caller may submit to this queue, which may not exist yet. */
    static void requireSubmission(Call call, Partition partition, String queue) {
        Caller caller = call.caller();
        if (isUnverified(caller)
                || caller.role() == Role.ADMIN
                || partition.access().maySubmit(queue, caller.user(), caller.groups())) {
            return;
        }
        List<String> rules = partition.access().rules(queue);
        throw ProblemException.of(
                ProblemKind.FORBIDDEN,
                "user " + caller.user()
                        + (caller.groups().isEmpty() ? "" : " (groups " + String.join(", ", caller.groups()) + ")")
                        + " may not submit to queue " + queue + ": "
                        + (rules.isEmpty()
                                ? "neither it nor a queue above it has a submitacl or adminacl, but other queues have"
                                : String.join(", ", rules) + " do not allow it"));
    }

    /**
     * Returns an application as the caller may submit it, with its user and groups; throws a problem if the caller may
     * not submit to the queue in which it is placed, or names a user or group that is not the caller's.
     *
     * @param partition the partition that it names, or null if there is none, which the scheduler refuses
     */
    static ApplicationSpec submittable(Call call, @Nullable Partition partition, ApplicationSpec spec) {
        Caller caller = call.caller();
        boolean named = !spec.user().equals(ApplicationSpec.NOBODY);
        ApplicationSpec own = named || caller.user().isEmpty() ? spec : spec.withUser(caller.user());
        if (isUnverified(caller)) {
            return own;
        }
        boolean self = own.user().equals(caller.user());
        if (self && own.groups().isEmpty()) {
            own = own.withGroups(caller.groups());
        }
        if (caller.role() == Role.ADMIN) {
            return own;
        }
        if (!self) {
            throw ProblemException.of(
                    ProblemKind.FORBIDDEN,
                    "user " + caller.user() + " may not submit as user " + own.user() + ": only the role "
                            + Role.ADMIN.wireName() + " may submit for others; remove user from the application");
        }
        // with fewer groups the limit of another group, or of none, would apply
        if (!Set.copyOf(own.groups()).equals(Set.copyOf(caller.groups()))) {
            throw ProblemException.of(
                    ProblemKind.FORBIDDEN,
                    "user " + caller.user() + " may not submit with groups " + String.join(", ", own.groups())
                            + ": the user is a member of "
                            + (caller.groups().isEmpty() ? "no group" : String.join(", ", caller.groups()))
                            + "; remove groups, the server knows them");
        }
        own = own.withGroups(caller.groups());
        if (partition != null && partition.access().isRestricted()) {
            String queue = new QueuePlacement().place(own, partition).queue();
            if (queue != null) { // otherwise it is rejected
                requireSubmission(call, partition, queue);
            }
        }
        return own;
    }

    /** Throws a problem unless the route of the call may be called for work in the queue of this application. */
    static void requireQueue(Call call, Partition partition, Application application) {
        if (application.hasQueue()) {
            requireSubmission(call, partition, application.queue().path());
        }
    }
}
