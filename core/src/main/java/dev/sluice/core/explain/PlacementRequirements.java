package dev.sluice.core.explain;

import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskGroup;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The properties of a task that decide which nodes it fits on. */
record PlacementRequirements(
        Resources resources,
        SortedMap<String, String> labels,
        @Nullable String node) {

    static PlacementRequirements of(TaskGroup group) {
        return new PlacementRequirements(
                group.kind().resources(),
                group.kind().requiredLabels(),
                group.kind().requiredNode());
    }
}
