package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.translation.NamespaceSettings;
import dev.sluice.kubernetes.translation.PodGang;
import dev.sluice.kubernetes.translation.PodIdentity;
import dev.sluice.kubernetes.translation.PodTranslation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Submits pods as tasks, and stops tasks whose pods are gone.
 *
 * <p>Queue, user and tags of an application are those of its first pod. Tasks that are allocated are left alone: how
 * they end is for the executor to report.
 */
final class ApplicationReconciler {

    private static final String TAG = Reconciler.NAMESPACE_TAG;

    /** Requires what no node has. */
    private static final NodeAffinity NO_NODE =
            new NodeAffinity(List.of(new NodeSelectorTerm(List.of(), List.of())), List.of());

    private final ClusterView view;
    private final Partition partition;
    private final List<Command> commands;
    private final Map<String, List<String>> refusals;

    ApplicationReconciler(
            ClusterView view, Partition partition, List<Command> commands, Map<String, List<String>> refusals) {
        this.view = view;
        this.partition = partition;
        this.commands = commands;
        this.refusals = refusals;
    }

    /** Adds the commands for one application, and the reasons why pods of it are refused. */
    void reconcile(String id) {
        Application known = partition.application(id);
        GangPlaces places = GangPlaces.of(view, known);
        List<ObservedPod> unknown = new ArrayList<>();
        boolean abandoned = false;
        for (ObservedPod pod : view.podsOf(id)) {
            PodTranslation translation = pod.translation();
            if (translation == null || pod.stage() != ObservedPod.Stage.PENDING || places.hasMember(pod)) {
                continue;
            }
            TaskGroup task =
                    known == null ? null : known.group(translation.task().name());
            if (known != null && task != null && task.isUnallocated(0)) {
                updateNodes(known, task, translation);
            }
            if (!translation.isAccepted()) {
                refusals.put(pod.uid(), translation.refusals());
            } else if (task == null
                    && known != null
                    && known.state().isEnded()
                    && known.state() != ApplicationState.REJECTED
                    && GangReconciler.wasMember(pod, known)) {
                abandoned = true;
                refuse(pod, described(known) + withReason(known.stateReason()) + ": delete the pod");
            } else if (task == null) {
                unknown.add(pod);
            } else if (hasEnded(task)) {
                abandoned = true;
                refuse(pod, "its task has ended, in " + described(task.application()) + ": delete the pod");
            }
        }
        submit(id, known, ofNamespace(id, known, unknown), abandoned);
        if (known != null && !known.state().isEnded()) {
            stopTasksWithoutPods(known, places); // last, because without tasks an application may end
        }
    }

    /**
     * What volumes require may change while the task is pending; no node is eligible while the pod waits for its
     * volumes.
     */
    private void updateNodes(Application known, TaskGroup task, PodTranslation translation) {
        NodeAffinity wanted =
                translation.isAccepted() ? translation.task().constraints().nodeAffinity() : NO_NODE;
        if (known.state() != ApplicationState.FAILING
                && !wanted.equals(task.spec().constraints().nodeAffinity())) {
            ApplicationUpdate update = ApplicationUpdate.ofNodeAffinity(wanted).withTask(task.name());
            commands.add(new Command.UpdateApplication(partition.name(), known.id(), update));
        }
    }

    private static boolean hasEnded(TaskGroup task) {
        return !task.isUnallocated(0) && task.placed(0) == null;
    }

    private void submit(String id, @Nullable Application known, List<ObservedPod> pods, boolean abandoned) {
        if (pods.isEmpty()) {
            return;
        }
        if (known == null) {
            submitNew(id, pods);
        } else if (known.state() == ApplicationState.REJECTED) {
            pods.forEach(pod -> refuse(pod, described(known) + ": " + known.stateReason()));
        } else if (known.state().isEnded() && abandoned) {
            pods.forEach(pod ->
                    refuse(pod, described(known) + " has pods that were not started: delete them, or use another id"));
        } else if (known.state().isEnded()) {
            commands.add(new Command.ForgetApplication(partition.name(), id));
            submitNew(id, pods);
        } else if (known.isSealed() || known.state() == ApplicationState.FAILING) {
            pods.forEach(pod -> refuse(pod, described(known) + " accepts no more pods: use another application id"));
        } else {
            commands.add(new Command.AddTasks(partition.name(), id, tasks(pods)));
        }
    }

    /** The quotas come before the next cycle, so no task of a new queue starts without them. */
    private void submitNew(String id, List<ObservedPod> pods) {
        commands.add(new Command.SubmitApplication(partition.name(), application(id, pods)));
        NamespaceSettings settings = view.settings(pods.get(0).namespace());
        if (settings.hasQuotas()) {
            commands.add(QuotaReconciler.command(partition, id, settings));
        }
    }

    /** Refuses pods of other namespaces, which could otherwise join an application of somebody else. */
    private List<ObservedPod> ofNamespace(String id, @Nullable Application known, List<ObservedPod> pods) {
        String namespace = known == null || known.state().isEnded()
                ? pods.isEmpty() ? null : pods.get(0).namespace()
                : known.spec().tags().get(TAG);
        List<ObservedPod> accepted = new ArrayList<>();
        for (ObservedPod pod : pods) {
            if (pod.namespace().equals(namespace)) {
                accepted.add(pod);
            } else {
                refuse(
                        pod,
                        "application " + id
                                + (namespace == null ? " does not consist of pods" : " is in namespace " + namespace)
                                + ": use another application id");
            }
        }
        return accepted;
    }

    private void stopTasksWithoutPods(Application known, GangPlaces places) {
        if (!known.spec().tags().containsKey(TAG)) {
            return;
        }
        Set<String> wanted = new HashSet<>();
        for (ObservedPod pod : view.podsOf(known.id())) {
            PodTranslation translation = pod.translation();
            if (translation != null && pod.stage() == ObservedPod.Stage.PENDING) {
                wanted.add(translation.task().name());
            }
        }
        for (TaskGroup group : known.groups()) {
            if (GangPlaces.arePlaces(group)) {
                GangReconciler.stopPlaces(group, places, view.podsOf(known.id()), commands);
            } else if (group.spec().container() == null && group.isUnallocated(0) && !wanted.contains(group.name())) {
                commands.add(new Command.StopTask(group.ref(0)));
            }
        }
    }

    private ApplicationSpec application(String id, List<ObservedPod> pods) {
        ObservedPod first = pods.get(0);
        PodIdentity identity = identity(first);
        ApplicationSpec application = ApplicationSpec.open(id, identity.queue())
                .withName(identity.applicationName())
                .withUser(identity.user())
                .withGroups(identity.groups())
                .withTags(view.tags(first.namespace()))
                .withSealed(identity.alone());
        PodGang gang = GangReconciler.declared(pods);
        return gang == null ? application.withTasks(tasks(pods)) : GangReconciler.submission(application, gang, pods);
    }

    private static PodIdentity identity(ObservedPod pod) {
        PodTranslation translation = pod.translation();
        if (translation == null) {
            throw new IllegalArgumentException("pod of another scheduler: " + pod);
        }
        return translation.identity();
    }

    private static List<TaskSpec> tasks(List<ObservedPod> pods) {
        List<TaskSpec> tasks = new ArrayList<>();
        for (ObservedPod pod : pods) {
            PodTranslation translation = pod.translation();
            if (translation != null) {
                tasks.add(translation.task());
            }
        }
        return tasks;
    }

    private void refuse(ObservedPod pod, String reason) {
        refusals.put(pod.uid(), List.of(reason));
    }

    private static String withReason(String reason) {
        return reason.isEmpty() ? "" : ": " + reason;
    }

    private static String described(Application application) {
        return "application " + application.id() + " (" + application.state().wireName() + ")";
    }
}
