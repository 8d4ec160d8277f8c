package dev.sluice.server.usage;

import dev.sluice.core.application.StartConditions;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.runtime.journal.RunEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Derives from a run what is recorded of its usage. */
public final class RunUsages {

    private RunUsages() {}

    /** Returns the account of runs of these tasks that hold these resources. */
    public static RunAccount account(ApplicationOrigin origin, TaskGroup group, Resources held) {
        SortedMap<String, Long> resources = new TreeMap<>();
        for (var entry : held.amounts().entrySet()) {
            Amount amount = entry.getValue();
            resources.put(entry.getKey(), amount.value());
        }
        return new RunAccount(
                group.application().partition(),
                origin.queue(),
                origin.user(),
                group.application().spec().name(),
                resources);
    }

    /**
     * Returns how long a task waited for its first allocation; null for later runs, tasks with dependencies and
     * applications with start conditions, since when these were met is not recorded.
     */
    public static @Nullable Duration waited(TaskGroup group, int attempt, Instant placed) {
        return attempt == 1
                        && group.kind().after().isEmpty()
                        && group.application().spec().start().equals(StartConditions.NONE)
                ? Duration.between(group.application().submitted(), placed)
                : null;
    }

    /** Returns the end of a run with this outcome. */
    public static RunEnd end(TaskOutcome outcome, boolean again) {
        return switch (outcome) {
            case SUCCEEDED -> RunEnd.SUCCEEDED;
            case FAILED, TIMED_OUT, LOST -> again ? RunEnd.FAILED_AGAIN : RunEnd.FAILED;
            case STOPPED -> again ? RunEnd.AGAIN : RunEnd.STOPPED;
        };
    }
}
