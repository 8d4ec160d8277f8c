package dev.sluice.runtime.host;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.SchedulerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ended applications of each partition, oldest first. Limits how many the scheduler retains; the history contains
 * all of them.
 */
final class EndedApplications {

    private final int retainedMax;
    private final Map<String, Set<String>> byPartition = new LinkedHashMap<>();
    private int excess;

    EndedApplications(int retainedMax, SchedulerState state) {
        this.retainedMax = retainedMax;
        for (Partition partition : state.partitions()) {
            List<Application> ended = new ArrayList<>();
            for (Application application : partition.applications()) {
                if (application.state().isEnded()) {
                    ended.add(application);
                }
            }
            ended.sort(Comparator.comparing(Application::stateSince).thenComparing(Application::id));
            ended.forEach(application -> add(partition.name(), application.id()));
        }
    }

    private void add(String partition, String application) {
        Set<String> ended = byPartition.computeIfAbsent(partition, name -> new LinkedHashSet<>());
        if (ended.add(application) && ended.size() > retainedMax) {
            excess++;
        }
    }

    private void remove(String partition, String application) {
        Set<String> ended = byPartition.get(partition);
        if (ended != null && ended.remove(application) && ended.size() >= retainedMax) {
            excess--;
        }
    }

    /** Updates the set with an event. */
    void update(Event event) {
        if (event instanceof ApplicationEvent.StateChanged changed
                && changed.to().isEnded()) {
            if (changed.to() == ApplicationState.EXPIRED) {
                remove(changed.partition(), changed.application());
            } else {
                add(changed.partition(), changed.application());
            }
        } else if (event instanceof ApplicationEvent.Retried retried) {
            remove(retried.partition(), retried.application());
        } else if (event instanceof PartitionEvent.Removed removed) {
            Set<String> gone = byPartition.remove(removed.partition());
            excess -= gone == null ? 0 : Math.max(0, gone.size() - retainedMax);
        }
    }

    /** Returns whether a partition retains more applications than the limit. */
    boolean hasExcess() {
        return excess > 0;
    }

    /**
     * Removes the oldest excess application and returns the command that makes the scheduler forget it.
     *
     * @throws IllegalStateException if there is no excess
     */
    Command.ForgetApplication next() {
        for (Map.Entry<String, Set<String>> entry : byPartition.entrySet()) {
            if (entry.getValue().size() > retainedMax) {
                String first = entry.getValue().iterator().next();
                remove(entry.getKey(), first);
                return new Command.ForgetApplication(entry.getKey(), first);
            }
        }
        throw new IllegalStateException("no excess applications");
    }
}
