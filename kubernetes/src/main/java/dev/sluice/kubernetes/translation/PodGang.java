package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gang that a pod declares for its application.
 *
 * @param gang the minimum number of members by task group, style and timeout
 * @param tasks one specification for each task group
 */
public record PodGang(Gang gang, List<TaskSpec> tasks) {

    /** The annotation that a binding adds to a pod: the place in a gang that the pod takes. */
    public static final String PLACE = Metadata.SLUICE + "place";

    /** Copies the list. */
    public PodGang {
        tasks = List.copyOf(tasks);
    }

    /** Returns the place that a pod has taken, or null. */
    public static @Nullable String place(Pod pod) {
        return new Metadata(pod).annotation(PLACE);
    }
}
