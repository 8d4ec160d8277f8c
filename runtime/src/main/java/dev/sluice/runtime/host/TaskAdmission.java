package dev.sluice.runtime.host;

import dev.sluice.core.application.TaskSpec;
import org.jspecify.annotations.Nullable;

/** Decides which tasks of a partition can run at all, before they are submitted, and what can be done to them
 * while they run. Thread-safe. */
@FunctionalInterface
public interface TaskAdmission {

    /** Accepts all tasks: what runs them is not known. */
    TaskAdmission ANY = (partition, task) -> null;

    /** Returns why tasks like this cannot run in the partition, and what to do about it; null if they can. */
    @Nullable String refusal(String partition, TaskSpec task);

    /** Returns why what runs in the partition can be neither suspended nor signalled, and what can be done instead. */
    default @Nullable String controlRefusal(String partition) {
        return null;
    }

    /** Returns the admission of a program that runs tasks as processes of its machine, in this partition. */
    static TaskAdmission ofProcesses(String nodePartition) {
        return (partition, task) -> partition.equals(nodePartition) && task.container() != null
                ? "task " + task.name() + " has an image, but here tasks are processes, not containers: remove image,"
                        + " or submit it to a server with --kubernetes"
                : null;
    }
}
