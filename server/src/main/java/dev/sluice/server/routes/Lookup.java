package dev.sluice.server.routes;

import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the resources named in the path of a call; throws a problem if one is not found. */
final class Lookup {

    private Lookup() {}

    static Partition partition(SchedulerState state, Call call) {
        return partition(state, call.path("partition"));
    }

    static Partition partition(SchedulerState state, String name) {
        Partition partition = state.partition(name);
        if (partition == null) {
            throw noPartition(name);
        }
        return partition;
    }

    /**
     * Returns the partition of this name for a later step of a query; throws if it has been replaced by another
     * partition of the same name.
     *
     * @param before the partition found by the first step, or null in the first step
     */
    static Partition requireSame(SchedulerState state, String name, @Nullable Partition before) {
        Partition partition = partition(state, name);
        if (before != null && partition != before) {
            throw noPartition(name);
        }
        return partition;
    }

    /** Returns the problem of an unknown partition. */
    static ProblemException noPartition(String name) {
        return ProblemException.of(ProblemKind.NOT_FOUND, "partition " + name + " not found");
    }

    /** Returns the application of the path; throws if the caller may not call the route for it. */
    static Application application(Partition partition, Call call) {
        String id = call.path("application");
        Application application = partition.application(id);
        if (application == null) {
            throw noApplication(call);
        }
        Permissions.require(call, partition, application);
        return application;
    }

    static ProblemException noApplication(Call call) {
        return ProblemException.of(
                ProblemKind.NOT_FOUND,
                "application " + call.path("application") + " not found in partition " + call.path("partition"));
    }

    static TaskRef task(Application application, Call call) {
        String id = call.path("task");
        TaskRef task = application.find(id);
        if (task == null) {
            throw ProblemException.of(
                    ProblemKind.NOT_FOUND, "task " + id + " not found in application " + application.id());
        }
        return task;
    }

    /** Returns the group of a task that {@link #task} returned. */
    static TaskGroup group(Application application, TaskRef task) {
        return Objects.requireNonNull(application.groupOf(task));
    }

    static Node node(Partition partition, Call call) {
        String name = call.path("node");
        Node node = partition.node(name);
        if (node == null) {
            throw ProblemException.of(
                    ProblemKind.NOT_FOUND, "node " + name + " not found in partition " + partition.name());
        }
        return node;
    }

    static Queue queue(Partition partition, String path) {
        Queue queue = partition.queues().find(path);
        if (queue == null) {
            throw ProblemException.of(
                    ProblemKind.NOT_FOUND, "queue " + path + " not found in partition " + partition.name());
        }
        return queue;
    }
}
