package dev.sluice.core.explain;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.TaskGroup;
import org.jspecify.annotations.Nullable;

/** The properties of a task that decide which nodes it fits on. */
record PlacementRequirements(
        Resources resources,
        Constraints constraints,
        @Nullable String node,
        @Nullable TaskGroup limitedPerNode) {

    static PlacementRequirements of(TaskGroup group) {
        return new PlacementRequirements(
                group.kind().resources(),
                group.kind().constraints(),
                group.kind().requiredNode(),
                group.kind().constraints().tasks().perNode() > 0 ? group : null);
    }
}
