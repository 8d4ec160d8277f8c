package dev.sluice.core.testing;

import static dev.sluice.core.testing.GroupInvariants.allocatedCount;
import static dev.sluice.core.testing.StateAssertions.isTrue;
import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Invariants of applications: their counters, their state, and their queue and user. */
final class ApplicationInvariants {

    private final Partition partition;
    private final ResourceTypes types;
    private final GroupInvariants groups;

    private ApplicationInvariants(Partition partition) {
        this.partition = partition;
        this.types = partition.types();
        this.groups = new GroupInvariants(partition);
    }

    /** Checks all applications of a partition; returns the tasks on nodes according to their groups. */
    static Set<Task> check(Partition partition) {
        ApplicationInvariants invariants = new ApplicationInvariants(partition);
        invariants.check();
        return invariants.groups.placed();
    }

    private void check() {
        Set<Integer> indexes = new HashSet<>();
        Sum demanded = new Sum(types);
        for (Application application : partition.applications()) {
            same(application, "the registered instance", partition.application(application.id()), application);
            isTrue(application, "a unique index", indexes.add(application.index()));
            isTrue(application, "an index within bounds", application.index() < partition.applicationIndexBound());
            checkCounts(application);
            checkState(application);
            checkQueueOf(application);
            for (TaskGroup group : application.groups()) {
                demanded.add(group.demand(), group.unallocated());
                group.placed().forEach(task -> demanded.add(task.demand(), 1));
            }
        }
        demanded.check(partition.name(), "demanded", partition.demanded());
        checkUsers();
    }

    private void checkCounts(Application application) {
        Sum allocated = new Sum(types);
        long tasks = 0;
        long unallocated = 0;
        long pending = 0;
        long holding = 0;
        long preempting = 0;
        long succeeded = 0;
        long failed = 0;
        long stopped = 0;
        for (int i = 0; i < application.groups().size(); i++) {
            TaskGroup group = application.groups().get(i);
            same(group, "index", group.index(), i);
            same(group, "found by name", application.group(group.spec().name()), group);
            groups.check(group);
            GroupInvariants.addAllocated(group, allocated);
            tasks += group.spec().size();
            unallocated += group.unallocated();
            pending += GroupInvariants.pending(group);
            holding += allocatedCount(group);
            preempting += group.allocatedCount() - allocatedCount(group);
            succeeded += group.succeeded();
            failed += group.failed();
            stopped += group.stopped();
        }
        allocated.check(application, "allocated", application.allocated());
        same(application, "tasks", application.tasks(), tasks);
        same(application, "not allocated", application.unallocated(), unallocated);
        same(application, "pending", application.pending(), pending);
        same(application, "allocated", (long) application.placed(), holding);
        same(application, "preempting", (long) application.preempting(), preempting);
        same(application, "succeeded", application.succeeded(), succeeded);
        same(application, "failed", application.failed(), failed);
        same(application, "stopped", application.stopped(), stopped);
    }

    /** Checks that the application's state follows from its tasks: no transition is overdue. */
    private static void checkState(Application application) {
        boolean holds = application.boundTasks() > 0;
        boolean over = !holds && application.unallocated() == 0;
        boolean fits = switch (application.state()) {
            case NEW -> application.tasks() == 0 && !application.isSealed();
            case ACCEPTED -> !holds && !over && application.allocations() == 0;
            case STARTING -> !over && application.allocations() >= 1 && !application.isSecondTaskAllocated();
            case RUNNING -> !over;
            case COMPLETING -> over && !application.isSealed();
            case FAILING -> holds && application.unallocated() == 0;
            case REJECTED -> application.tasks() == 0 && !application.hasQueue();
            case COMPLETED -> over && application.failed() + application.stopped() == 0;
            case FAILED -> over;
            case EXPIRED, RESUMING -> false;
        };
        isTrue(application, "no gang that waits and has tasks on nodes", !application.isGangWaiting() || !holds);
        isTrue(application, "a state that follows from its tasks, not " + application.state(), fits);
        isTrue(
                application,
                "pending or delayed tasks, running ones that they depend on, or a hold",
                application.isHeld()
                        || application.notBefore() != null
                        || !application.awaited().isEmpty()
                        || application.unallocated() == 0
                        || holds
                        || application.pending() > 0
                        || application.groups().stream()
                                .anyMatch(group -> !group.delayed().isEmpty()));
        isTrue(application, "active while tasks are allocated", !holds || application.isActive());
        isTrue(
                application,
                "not active in state " + application.state(),
                !application.isActive()
                        || application.state() == ApplicationState.STARTING
                        || application.state() == ApplicationState.RUNNING
                        || application.state() == ApplicationState.FAILING);
        isTrue(
                application,
                "active in state " + application.state(),
                application.isActive() || application.state() != ApplicationState.STARTING);
    }

    private void checkQueueOf(Application application) {
        if (application.hasQueue()) {
            boolean ended = application.state().isEnded();
            Queue queue = application.queue();
            same(application, "in its queue", queue.applications().contains(application), !ended);
            if (!ended) {
                same(application, "its queue", partition.queues().find(queue.path()), queue);
            }
        }
    }

    private void checkUsers() {
        SortedMap<String, Integer> applications = new TreeMap<>();
        for (Application application : partition.applications()) {
            if (!application.state().isEnded()) {
                applications.merge(application.spec().user(), 1, Integer::sum);
            }
        }
        same(partition.name(), "applications by user", partition.users().applications(), applications);
    }
}
