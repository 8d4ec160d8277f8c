package dev.sluice.runtime.lasting;

import dev.sluice.runtime.local.TaskRun;
import dev.sluice.runtime.process.LogFiles;

/**
 * What one run of one task is known by, now and after a restart. Ids of applications are used again; sequence numbers are not.
 *
 * @param run which run of which task
 * @param sequence the number of its placement in its partition, at least 0; no two runs of a partition have the same
 */
public record RunKey(TaskRun run, long sequence) {

    /** Throws {@link IllegalArgumentException} when the number is negative. */
    public RunKey {
        if (sequence < 0) {
            throw new IllegalArgumentException("a sequence number is never negative: " + sequence);
        }
    }

    /** The name of its folder, which no other key has. */
    String folderName() {
        return sequence
                + "."
                + LogFiles.nameFor(
                        run.partition() + "/" + run.application() + "/" + run.taskId() + "/" + run.attempt());
    }
}
