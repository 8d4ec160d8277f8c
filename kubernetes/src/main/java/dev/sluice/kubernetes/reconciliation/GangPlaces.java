package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.translation.PodTranslation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a gang of pods, and which pods take their places. A task group of a pod is a number of tasks that start
 * together, whether their pods exist or not; a pod of the group takes the place of one that is allocated. The first
 * pods of a group, in the order of their creation, are its members; each further one has a task of its own, and so has
 * one that does not fit the places that are allocated.
 *
 * <p>An instance is what follows from cluster and state at one time.
 */
public final class GangPlaces {

    private final List<Taken> taken = new ArrayList<>();
    private final List<Task> idle = new ArrayList<>();
    private final Set<String> members = new HashSet<>();
    private final Map<String, Integer> waiting = new HashMap<>();

    /**
     * A pod that is to take the place of an allocated task.
     *
     * @param pod the pod
     * @param task the task
     */
    public record Taken(ObservedPod pod, Task task) {}

    private GangPlaces() {}

    /** Returns the places of an application; there are none if it has no gang, or has ended. */
    public static GangPlaces of(ClusterView view, @Nullable Application application) {
        GangPlaces places = new GangPlaces();
        GangProgress gang = application == null ? null : application.gang();
        if (application != null && gang != null && !application.state().isEnded()) {
            Map<String, List<ObservedPod>> candidates = places.candidates(view, application);
            for (String name : gang.gang().tasks().keySet()) {
                TaskGroup group = application.group(name);
                if (group != null && arePlaces(group)) {
                    places.fill(view, group, candidates.getOrDefault(name, List.of()));
                }
            }
        }
        return places;
    }

    /** Returns whether these tasks are places of a gang of pods. */
    public static boolean arePlaces(TaskGroup group) {
        GangProgress gang = group.application().gang();
        return gang != null
                && group.spec().container() == null
                && gang.gang().tasks().containsKey(group.name())
                && group.application().spec().tags().containsKey(Reconciler.NAMESPACE_TAG);
    }

    /** Returns what names the place of an allocated task, which is never allocated again. */
    public static String place(Task task) {
        return task.id() + "/" + task.sequence();
    }

    /** Returns the task of a place, or null if it has ended. */
    static @Nullable Task taskOf(Application application, String place) {
        TaskRef ref = application.find(place.substring(0, Math.max(0, place.lastIndexOf('/'))));
        TaskGroup group = ref == null ? null : application.group(ref.task());
        Task task = ref == null || group == null ? null : group.placed(ref.position());
        return task != null && place(task).equals(place) ? task : null;
    }

    /** Returns the pod that takes the place of an allocated task, or null. */
    public static @Nullable ObservedPod podOf(ClusterView view, Task task) {
        return view.podOf(new TaskKey(task.application().id(), place(task)));
    }

    /** Returns the pods that are to take the places of allocated tasks. */
    public List<Taken> taken() {
        return List.copyOf(taken);
    }

    /** Returns the allocated tasks whose place no pod takes. */
    public List<Task> idle() {
        return List.copyOf(idle);
    }

    /** Returns whether a pod takes a place, or waits for one. */
    boolean hasMember(ObservedPod pod) {
        return pod.place() != null || members.contains(pod.uid());
    }

    /** Returns the number of pods that wait for a task of a group to be allocated. */
    int waiting(String group) {
        return waiting.getOrDefault(group, 0);
    }

    private Map<String, List<ObservedPod>> candidates(ClusterView view, Application application) {
        Map<String, List<ObservedPod>> candidates = new HashMap<>();
        for (ObservedPod pod : view.membersOf(application.id())) {
            PodTranslation translation = pod.translation();
            String group = pod.taskGroup();
            if (group != null
                    && translation != null
                    && translation.isAccepted()
                    && pod.stage() == ObservedPod.Stage.PENDING
                    && pod.place() == null
                    && !view.isBinding(pod.uid())
                    && pod.namespace().equals(application.spec().tags().get(Reconciler.NAMESPACE_TAG))
                    && application.group(translation.task().name()) == null) {
                candidates.computeIfAbsent(group, each -> new ArrayList<>()).add(pod);
            }
        }
        return candidates;
    }

    private void fill(ClusterView view, TaskGroup group, List<ObservedPod> candidates) {
        List<Task> open = new ArrayList<>();
        int left = group.unallocated();
        for (Task task : group.placed()) {
            boolean isFree = task.startedAt() == null && task.stopReason() == null && podOf(view, task) == null;
            if (isFree && task.isReserved()) {
                left++;
            } else if (isFree) {
                open.add(task);
            }
        }
        for (ObservedPod pod : candidates) {
            TaskSpec task = specification(pod);
            Task place = isWithin(task, group.spec().resources()) ? take(open, task) : null;
            if (place != null) {
                taken.add(new Taken(pod, place));
                members.add(pod.uid());
            } else if (left > 0 && isWithin(task, group.spec().resources())) {
                left--;
                waiting.merge(group.name(), 1, Integer::sum);
                members.add(pod.uid());
            }
        }
        idle.addAll(open);
    }

    private static TaskSpec specification(ObservedPod pod) {
        PodTranslation translation = pod.translation();
        if (translation == null) {
            throw new IllegalArgumentException("pod of another scheduler: " + pod);
        }
        return translation.task();
    }

    /** Ports of hosts are allocated with the task, and those of a task group have none. */
    private static boolean isWithin(TaskSpec task, Resources place) {
        return task.constraints().tasks().ports().isEmpty()
                && task.resources().amounts().entrySet().stream()
                        .allMatch(each -> each.getValue().compareTo(place.amount(each.getKey())) <= 0);
    }

    private static @Nullable Task take(List<Task> open, TaskSpec pod) {
        for (Iterator<Task> each = open.iterator(); each.hasNext(); ) {
            Task task = each.next();
            Node node = task.node();
            if (pod.constraints().permits(node.name(), node.labels(), node.taints())) {
                each.remove();
                return task;
            }
        }
        return null;
    }
}
