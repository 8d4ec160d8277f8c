package dev.sluice.kubernetes.execution;

import dev.sluice.core.application.Deadline;
import dev.sluice.core.application.Gang;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.creation.PodManifest;
import dev.sluice.kubernetes.creation.PodPolicy;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.kubernetes.logs.PodLog;
import dev.sluice.kubernetes.reconciliation.ClusterView;
import dev.sluice.kubernetes.reconciliation.GangPlaces;
import dev.sluice.kubernetes.reconciliation.ObservedPod;
import dev.sluice.kubernetes.reconciliation.PodProgress;
import dev.sluice.kubernetes.reconciliation.RunPods;
import dev.sluice.kubernetes.reconciliation.TaskKey;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.host.RunObstacles.Obstacle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Compares allocated tasks with their pods.
 *
 * <p>A pod without a node is bound to that of its task; one that has ended, or is gone, ends the run; one whose task is
 * to stop is ended. A pod that is being bound is left alone until the outcome is known, so a run is never reported as
 * ended while its pod could still start.
 */
public final class RunReconciler {

    private final ClusterView view;
    private final Predicate<String> others;
    private final @Nullable PodPolicy policy;
    private final PodObstacles obstacles = new PodObstacles();

    /**
     * Creates a reconciler that creates no pods.
     *
     * @param view the cluster
     * @param others selects nodes of the partition that do not belong to the cluster, by name
     */
    public RunReconciler(ClusterView view, Predicate<String> others) {
        this(view, others, null);
    }

    /**
     * Creates a reconciler.
     *
     * @param view the cluster
     * @param others selects nodes of the partition that do not belong to the cluster, by name
     * @param policy which pods are created for tasks; null for none
     */
    public RunReconciler(ClusterView view, Predicate<String> others, @Nullable PodPolicy policy) {
        this.view = view;
        this.others = others;
        this.policy = policy;
    }

    /** Returns why runs cannot start at present. */
    public PodObstacles obstacles() {
        return obstacles;
    }

    /**
     * Compares all allocated tasks: at the start. A run that is not known to have started and has no pod is lost: its
     * pod may have been created, and deleted by somebody, before the start.
     */
    public RunComparison all(Partition partition, Instant now) {
        view.changes().takeTasks();
        List<Task> tasks = new ArrayList<>();
        for (Node node : partition.nodes()) {
            if (!others.test(node.name())) {
                tasks.addAll(node.tasks());
            }
        }
        return compare(partition, tasks, view.runs().tasks(), partition.applications(), true, now);
    }

    /** Compares the tasks whose pods or states have changed since the last call of this method or of {@link #all}. */
    public RunComparison changes(Partition partition, Instant now) {
        List<Task> tasks = new ArrayList<>();
        Set<Application> applications = new LinkedHashSet<>();
        List<TaskKey> changed = view.changes().takeTasks();
        for (TaskKey key : changed) {
            Application application = partition.application(key.application());
            Task task = allocated(partition, key);
            if (task != null && !others.test(task.node().name())) {
                tasks.add(task);
            }
            if (application != null) {
                applications.add(application);
            }
            TaskRef ref = application == null || task != null ? null : application.find(key.task());
            if (ref != null) {
                obstacles.remove(ref);
            }
        }
        return compare(partition, tasks, changed, applications, false, now);
    }

    private static @Nullable Task allocated(Partition partition, TaskKey key) {
        Application application = partition.application(key.application());
        TaskRef ref = application == null ? null : application.find(key.task());
        TaskGroup group = application == null || ref == null ? null : application.groupOf(ref);
        return group == null || ref == null ? null : group.placed(ref.position());
    }

    private RunComparison compare(
            Partition partition,
            Collection<Task> tasks,
            Collection<TaskKey> created,
            Collection<Application> applications,
            boolean atStart,
            Instant now) {
        List<Command> reports = new ArrayList<>();
        List<PodRequest> requests = new ArrayList<>();
        for (Task task : tasks) {
            if (task.group().spec().container() != null) {
                compareCreated(partition, task, atStart, reports, requests);
                continue;
            }
            ObservedPod pod =
                    view.podOf(new TaskKey(task.application().id(), task.group().name()));
            if (GangPlaces.arePlaces(task.group())) {
                continue; // compared with its application
            }
            if (pod == null) {
                reportGone(task, reports);
            } else {
                compare(task, pod, reports, requests);
            }
        }
        for (TaskKey key : created) {
            Task task = allocated(partition, key);
            PodRun current = task == null ? null : PodRun.of(task);
            for (RunPods.Entry entry : view.runs().of(key)) {
                if (!entry.run().equals(current)) {
                    compareEnded(entry, requests);
                }
            }
        }
        Map<String, Instant> expiries = new HashMap<>();
        for (Application application : applications) {
            if (application.gang() != null) {
                comparePlaces(application, now, reports, requests, expiries);
            }
        }
        return new RunComparison(reports, requests, expiries);
    }

    /**
     * Compares the tasks of a gang of pods. What is allocated waits for a pod until the timeout of the gang, counted
     * from its allocation, and no longer than the application has pods.
     */
    private void comparePlaces(
            Application application,
            Instant now,
            List<Command> reports,
            List<PodRequest> requests,
            Map<String, Instant> expiries) {
        for (TaskGroup group : application.groups()) {
            for (Task task : GangPlaces.arePlaces(group) ? group.placed() : List.<Task>of()) {
                ObservedPod pod = GangPlaces.podOf(view, task);
                if (pod != null) {
                    compare(task, pod, reports, requests);
                } else if (task.startedAt() != null || task.stopReason() != null) {
                    reportGone(task, reports);
                }
            }
        }
        GangPlaces places = GangPlaces.of(view, application);
        for (GangPlaces.Taken taken : places.taken()) {
            Task task = taken.task();
            String place = view.takePlace(taken);
            requests.add(new PodRequest.Bind(
                    task.run(), taken.pod().ref(), task.node().name(), place));
        }
        for (Task task : places.idle()) {
            expire(task, now, reports, expiries);
        }
    }

    private void expire(Task task, Instant now, List<Command> reports, Map<String, Instant> expiries) {
        String id = task.application().id();
        Gang gang = task.application().spec().gang();
        Instant due = gang == null ? now : Deadline.after(task.placedAt(), gang.timeout());
        boolean isAbandoned = view.podsOf(id).stream().noneMatch(pod -> pod.stage() != ObservedPod.Stage.ENDED);
        if (isAbandoned || !due.isAfter(now)) {
            reports.add(new Command.StopTask(task.ref()));
            reports.add(new Command.ReportTaskFailed(
                    task.run(), RunExit.TERMINATED, "no pod has taken its place in the gang"));
        } else {
            expiries.merge(id, due, (one, other) -> one.isBefore(other) ? one : other);
        }
    }

    /** A task with an image: its pod is created when the run is allocated. */
    private void compareCreated(
            Partition partition, Task task, boolean atStart, List<Command> reports, List<PodRequest> requests) {
        PodRun run = PodRun.of(task);
        RunPods.Entry entry = view.runs().find(run);
        if (entry == null) {
            if (task.isReserved()) {
                return;
            }
            if (task.startedAt() != null) {
                reportLost(task, reports);
            } else if (task.stopReason() != null) {
                reports.add(new Command.ReportTaskFailed(
                        task.run(), RunExit.TERMINATED, "stopped before its pod was created"));
            } else if (atStart) {
                reportLost(task, reports);
            } else if (policy == null) {
                reports.add(new Command.ReportTaskFailed(task.run(), null, "this server creates no pods for tasks"));
            } else {
                view.runs().begin(run);
                Resources resources = partition.types().resources(task.group()::demand);
                requests.add(new PodRequest.Create(task.run(), PodManifest.of(task, resources, policy)));
            }
            return;
        }
        ObservedPod pod = entry.pod();
        if (entry.stage() == RunPods.Stage.CREATED) {
            obstacles.remove(task.ref());
        }
        boolean over = entry.stage() == RunPods.Stage.GONE || (pod != null && pod.stage() == ObservedPod.Stage.ENDED);
        if (over && !entry.failure().isEmpty() && task.stopReason() == null) {
            reports.add(new Command.ReportTaskFailed(task.run(), null, entry.failure()));
        } else if (entry.stage() == RunPods.Stage.GONE) {
            reportLost(task, reports);
        } else if (pod != null) {
            failWithoutStart(task, entry, pod, requests);
            int before = requests.size();
            boolean ended = pod.stage() == ObservedPod.Stage.ENDED;
            if (ended && isDisrupted(task, pod)) {
                reportLost(task, reports);
            } else {
                compare(task, pod, reports, requests);
            }
            if (ended || requests.size() > before) {
                PodLog log = new PodLog(run, task.ref(), pod.namespace(), task.placedAt());
                requests.add(before, new PodRequest.KeepLog(log, ended));
            }
        }
    }

    /** A pod that cannot start is deleted after a while, and its run fails; its node is for others then. */
    private static void failWithoutStart(Task task, RunPods.Entry entry, ObservedPod pod, List<PodRequest> requests) {
        String obstacle = pod.progress().obstacle();
        if (obstacle.isEmpty() || task.stopReason() != null || pod.progress().deleting()) {
            return;
        }
        if (entry.beginObstacle()) {
            requests.add(new PodRequest.Hindered(entry.run(), pod.ref(), obstacle));
        } else if (entry.isOverdue() && entry.beginRemoval()) {
            entry.setFailure("the pod could not start: " + obstacle);
            requests.add(new PodRequest.Remove(entry.run(), pod.ref(), false));
        }
    }

    private static boolean isDisrupted(Task task, ObservedPod pod) {
        return task.stopReason() == null
                && (pod.progress().disrupted() || pod.progress().deleting())
                && !pod.progress().succeeded();
    }

    /** A pod of a run that has ended, or of one that is not known. */
    private void compareEnded(RunPods.Entry entry, List<PodRequest> requests) {
        ObservedPod pod = entry.pod();
        if (pod == null) {
            if (entry.stage() == RunPods.Stage.GONE) {
                view.runs().forget(entry.run());
                requests.add(new PodRequest.Forget(entry.run()));
            }
            return;
        }
        boolean ended = pod.stage() == ObservedPod.Stage.ENDED;
        boolean needed = ended || !pod.progress().deleting();
        if (needed && (ended ? entry.beginExpiry() : entry.beginRemoval())) {
            requests.add(new PodRequest.Remove(entry.run(), pod.ref(), ended));
        }
    }

    /** A pod that somebody else has ended is created again as the task's retries of lost runs say. */
    private static void reportLost(Task task, List<Command> reports) {
        reports.add(
                task.stopReason() == null
                        ? new Command.ReportTaskLost(task.run())
                        : new Command.ReportTaskFailed(task.run(), RunExit.TERMINATED, ""));
    }

    private void compare(Task task, ObservedPod pod, List<Command> reports, List<PodRequest> requests) {
        RunRef run = task.run();
        String obstacle = pod.progress().obstacle();
        if (!obstacle.isEmpty()) {
            obstacles.put(run, new Obstacle("pod " + pod.ref(), obstacle));
        } else if (pod.stage() != ObservedPod.Stage.PENDING) {
            obstacles.remove(task.ref());
        }
        switch (pod.stage()) {
            case GATED, PENDING -> {
                if (view.isBinding(pod.uid()) || task.isReserved()) {
                    return;
                }
                if (task.stopReason() != null) {
                    reports.add(new Command.ReportTaskFailed(run, RunExit.TERMINATED, "stopped before it was bound"));
                } else if (view.beginBinding(pod.uid())) {
                    requests.add(new PodRequest.Bind(run, pod.ref(), task.node().name()));
                }
            }
            case BOUND -> {
                if (!task.node().name().equals(pod.node())) {
                    reportTaken(task, pod, reports);
                    return;
                }
                if (pod.progress().running() && task.startedAt() == null && task.state() == TaskState.STARTING) {
                    reports.add(new Command.ReportTaskStarted(run));
                }
                StopReason reason = task.stopReason();
                if (reason != null && !pod.progress().deleting() && view.beginEnding(pod.uid())) {
                    requests.add(new PodRequest.End(run, pod.ref(), reason));
                }
            }
            case ENDED -> reportEnd(task, pod, reports);
        }
    }

    /**
     * A pod that somebody else has bound occupies its node like any other pod. Its task must not wait again, because it
     * would be placed and refused without end.
     */
    private static void reportTaken(Task task, ObservedPod pod, List<Command> reports) {
        if (task.group().spec().container() != null) {
            reportLost(task, reports);
            return;
        }
        if (task.stopReason() == null) {
            reports.add(new Command.StopTask(task.ref()));
        }
        reports.add(new Command.ReportTaskFailed(
                task.run(), RunExit.TERMINATED, "somebody else has bound the pod to node " + pod.node()));
    }

    private static void reportEnd(Task task, ObservedPod pod, List<Command> reports) {
        PodProgress progress = pod.progress();
        if (progress.succeeded()) {
            reports.add(new Command.ReportTaskSucceeded(task.run()));
        } else if (progress.detail().isEmpty()) {
            reportGone(task, reports);
        } else {
            reports.add(new Command.ReportTaskFailed(task.run(), progress.exitCode(), progress.detail()));
        }
    }

    /** A pod that somebody has deleted did not fail: it counts as stopped. */
    private static void reportGone(Task task, List<Command> reports) {
        @Nullable StopReason reason = task.stopReason();
        if (reason == null) {
            reports.add(new Command.StopTask(task.ref()));
        }
        reports.add(new Command.ReportTaskFailed(
                task.run(), RunExit.TERMINATED, reason == null ? "the pod was deleted" : ""));
    }
}
