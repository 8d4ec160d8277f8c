package dev.sluice.kubernetes.execution;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.host.RunObstacles.Obstacle;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Why the pods of runs cannot start at present, or are not created, by application. Not thread-safe. */
public final class PodObstacles {

    private final Map<String, Map<RunRef, Obstacle>> byApplication = new HashMap<>();

    /** The runs with obstacles, of each task one. */
    private final Map<TaskRef, RunRef> runs = new HashMap<>();

    /** Sets why a run cannot start. */
    public void put(RunRef run, Obstacle obstacle) {
        if (!run.equals(runs.get(run.task()))) {
            remove(run.task());
        }
        runs.put(run.task(), run);
        byApplication
                .computeIfAbsent(run.task().application(), each -> new LinkedHashMap<>())
                .put(run, obstacle);
    }

    /** Forgets why a task cannot start. */
    public void remove(TaskRef task) {
        RunRef run = runs.remove(task);
        if (run != null) {
            byApplication.computeIfPresent(task.application(), (id, obstacles) -> {
                obstacles.remove(run);
                return obstacles.isEmpty() ? null : obstacles;
            });
        }
    }

    /** Returns what is known of the runs of an application, in the order in which it became known. */
    public Map<RunRef, Obstacle> of(String application) {
        return Collections.unmodifiableMap(byApplication.getOrDefault(application, Map.of()));
    }
}
