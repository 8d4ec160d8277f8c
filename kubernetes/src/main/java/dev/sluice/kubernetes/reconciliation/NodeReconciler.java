package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.creation.PodRun;
import dev.sluice.kubernetes.translation.NodeDescription;
import dev.sluice.kubernetes.translation.PodTranslation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Registers, updates and removes nodes.
 *
 * <p>The capacity of a node is what its pods that are not tasks leave: pods of other schedulers, of daemon sets, and
 * pods of this one that the state does not know as allocated there.
 */
final class NodeReconciler {

    private final ClusterView view;
    private final Partition partition;

    NodeReconciler(ClusterView view, Partition partition) {
        this.view = view;
        this.partition = partition;
    }

    /** Adds the commands for one node. */
    void reconcile(String name, List<Command> commands) {
        NodeDescription described = view.node(name);
        Node known = partition.node(name);
        if (described == null) {
            if (known != null) {
                commands.add(new Command.RemoveNode(partition.name(), name));
            }
            return;
        }
        NodeDescription wanted = withoutOthers(described);
        if (known == null) {
            commands.add(new Command.RegisterNode(
                    partition.name(), name, wanted.capacity(), wanted.labels(), wanted.taints()));
            return;
        }
        if (!isAsWanted(known, wanted)) {
            commands.add(new Command.UpdateNode(
                    partition.name(), name, wanted.capacity(), wanted.labels(), wanted.taints()));
        }
        if (known.health() == NodeHealth.LOST) {
            commands.add(new Command.ReportNodeReady(partition.name(), name));
        }
    }

    private NodeDescription withoutOthers(NodeDescription node) {
        Resources occupied = Resources.NONE;
        long pods = 0;
        for (ObservedPod pod : view.podsOn(node.name())) {
            if (!isTaskOn(pod, node.name())) {
                occupied = occupied.plus(pod.requests());
                pods++;
            }
        }
        return node.without(occupied, pods);
    }

    private boolean isTaskOn(ObservedPod pod, String node) {
        PodRun run = pod.run();
        Task task = run == null ? allocated(partition, pod) : allocated(partition, run);
        boolean hasIt = pod.place() == null || (task != null && pod.equals(GangPlaces.podOf(view, task)));
        return hasIt && task != null && task.node().name().equals(node);
    }

    /** Returns the allocated task of a run, or null if that has ended. */
    private static @Nullable Task allocated(Partition partition, PodRun run) {
        Application application = partition.application(run.application());
        TaskRef ref = application == null ? null : application.find(run.task());
        TaskGroup group =
                ref == null ? null : partition.existing(run.application()).groupOf(ref);
        Task task = group == null || ref == null ? null : group.placed(ref.position());
        return task != null && PodRun.of(task).equals(run) ? task : null;
    }

    /** Returns the allocated task of a pod, or null. */
    static @Nullable Task allocated(Partition partition, ObservedPod pod) {
        PodTranslation translation = pod.translation();
        Application application = translation == null
                ? null
                : partition.application(translation.identity().application());
        String place = pod.place();
        if (application != null && place != null) {
            return GangPlaces.taskOf(application, place);
        }
        TaskGroup group = application == null || translation == null
                ? null
                : application.group(translation.task().name());
        return group == null ? null : group.placed(0);
    }

    private static boolean isAsWanted(Node known, NodeDescription wanted) {
        return known.capacity().equals(wanted.capacity())
                && known.labels().equals(wanted.labels())
                && haveSameTaints(known.taints(), wanted.taints());
    }

    private static boolean haveSameTaints(List<Taint> known, List<Taint> wanted) {
        if (known.size() != wanted.size()) {
            return false;
        }
        for (int i = 0; i < known.size(); i++) {
            Taint taint = wanted.get(i);
            boolean sameTime = taint.timeAdded() == null
                    || taint.timeAdded().equals(known.get(i).timeAdded());
            if (!known.get(i).isSameAs(taint) || !sameTime) {
                return false;
            }
        }
        return true;
    }
}
