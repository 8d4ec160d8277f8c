package dev.sluice.runtime.executor;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskCommand;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Task;
import org.jspecify.annotations.Nullable;

/**
 * A run to start, or one whose start was decided.
 *
 * @param run the run
 * @param node the name of its node
 * @param allocation the number of its allocation, at least 0; unlike the ids of applications it is never used again in
 *     the partition
 * @param command the command, or null if the task has none
 * @param resources what the task requests
 * @param user the user of the application
 */
public record RunStart(
        RunRef run, String node, long allocation, @Nullable TaskCommand command, Resources resources, String user) {

    /** Throws {@link IllegalArgumentException} if the number of the allocation is negative. */
    public RunStart {
        if (allocation < 0) {
            throw new IllegalArgumentException("number of an allocation must not be negative: " + allocation);
        }
    }

    /** Creates a start of a task that requests nothing, of a user without a name. */
    public RunStart(RunRef run, String node, long allocation, @Nullable TaskCommand command) {
        this(run, node, allocation, command, Resources.NONE, "");
    }

    /** Returns the current run of an allocated task. */
    public static RunStart of(Task task) {
        return of(task.run(), task);
    }

    /** Returns the current run of an allocated task, which is this one. */
    public static RunStart of(RunRef run, Task task) {
        return new RunStart(
                run,
                task.node().name(),
                task.sequence(),
                task.kind().command(),
                task.kind().resources(),
                task.application().spec().user());
    }
}
