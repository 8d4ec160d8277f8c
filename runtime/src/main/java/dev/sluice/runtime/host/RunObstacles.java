package dev.sluice.runtime.host;

import dev.sluice.core.application.RunRef;
import java.util.Map;

/** Why runs that are allocated cannot start at present, which is not part of the state. */
@FunctionalInterface
public interface RunObstacles {

    /**
     * Why a run cannot start.
     *
     * @param subject what cannot start, such as a pod with its name
     * @param reason why
     */
    record Obstacle(String subject, String reason) {

        @Override
        public String toString() {
            return subject + ": " + reason;
        }
    }

    /** Nothing is known. */
    RunObstacles NONE = (partition, application) -> Map.of();

    /**
     * Returns the obstacles of the runs of an application, such as an image that cannot be pulled, in a stable order;
     * some may be about runs that have ended. Called by the scheduler's thread.
     */
    Map<RunRef, Obstacle> obstacles(String partition, String application);
}
