package dev.sluice.kubernetes.reconciliation;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.GangProgress;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.kubernetes.translation.PodGang;
import dev.sluice.kubernetes.translation.PodTranslation;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Submits the gangs that pods declare, and stops places that no pod will take. */
final class GangReconciler {

    private GangReconciler() {}

    /** Returns the first pod that declares a gang, or null. */
    static @Nullable PodGang declared(List<ObservedPod> pods) {
        for (ObservedPod pod : pods) {
            PodTranslation translation = pod.translation();
            if (translation != null && translation.gang() != null) {
                return translation.gang();
            }
        }
        return null;
    }

    /**
     * Returns an application with the tasks of a gang and of pods. The first pods of a task group are members; if one
     * requests more than the group says, all places of the group get that much.
     */
    static ApplicationSpec submission(ApplicationSpec application, PodGang gang, List<ObservedPod> pods) {
        Map<String, Integer> left = new HashMap<>();
        Map<String, Resources> wanted = new HashMap<>();
        gang.tasks().forEach(task -> left.put(task.name(), task.size()));
        List<TaskSpec> tasks = new ArrayList<>();
        @Nullable PodTranslation first = null;
        for (ObservedPod pod : pods) {
            PodTranslation translation = pod.translation();
            if (translation == null) {
                continue;
            }
            first = first == null ? translation : first;
            String group = translation.taskGroup();
            boolean hasPorts = !translation.task().constraints().tasks().ports().isEmpty();
            if (group != null && !hasPorts && left.getOrDefault(group, 0) > 0) {
                left.merge(group, -1, Integer::sum);
                wanted.merge(group, translation.task().resources(), GangReconciler::maximum);
            } else {
                tasks.add(translation.task());
            }
        }
        List<TaskSpec> places = new ArrayList<>();
        for (TaskSpec task : gang.tasks()) {
            TaskSpec place =
                    task.withResources(maximum(task.resources(), wanted.getOrDefault(task.name(), Resources.NONE)));
            if (first != null) {
                place = place.withAttempts(first.task().attempts()).withDurationKey(durationKey(first, task.name()));
            }
            places.add(place);
        }
        places.addAll(tasks);
        return application.withGang(gang.gang()).withTasks(places);
    }

    private static String durationKey(PodTranslation pod, String group) {
        String key = pod.identity().applicationName() + "." + group;
        return key.length() <= TaskSpec.NAME_LENGTH_MAX ? key : key.substring(0, TaskSpec.NAME_LENGTH_MAX);
    }

    private static Resources maximum(Resources one, Resources other) {
        SortedMap<String, Amount> amounts = new TreeMap<>(one.amounts());
        other.amounts().forEach((type, amount) -> amounts.merge(type, amount, (a, b) -> a.compareTo(b) >= 0 ? a : b));
        return Resources.of(amounts);
    }

    /**
     * Adds commands that stop pending places which no pod will take: all, if the application has no pods any more, and
     * once the gang has started or its timeout has passed, those for which no pod waits.
     */
    static void stopPlaces(TaskGroup group, GangPlaces places, Collection<ObservedPod> pods, List<Command> commands) {
        GangProgress gang = group.application().gang();
        boolean isWaiting = gang != null && gang.isWaiting();
        if (isWaiting && hasLivePods(pods)) {
            return;
        }
        BitSet unallocated = group.unallocatedIndexes();
        int kept = hasLivePods(pods) ? places.waiting(group.name()) : 0;
        for (int index = unallocated.nextSetBit(0); index >= 0; index = unallocated.nextSetBit(index + 1)) {
            if (kept > 0) {
                kept--;
            } else {
                commands.add(new Command.StopTask(group.ref(index)));
            }
        }
    }

    /** Returns whether a pod has not ended. */
    static boolean hasLivePods(Collection<ObservedPod> pods) {
        return pods.stream().anyMatch(pod -> pod.stage() != ObservedPod.Stage.ENDED);
    }

    /** Returns whether a pod belonged to the gang of an application that has ended, since it was created before. */
    static boolean wasMember(ObservedPod pod, Application ended) {
        if (ended.gang() == null || pod.taskGroup() == null) {
            return false;
        }
        try {
            return !Instant.parse(pod.created()).isAfter(ended.stateSince());
        } catch (DateTimeException e) {
            return true; // only a pod that is not from an API server has no time
        }
    }
}
