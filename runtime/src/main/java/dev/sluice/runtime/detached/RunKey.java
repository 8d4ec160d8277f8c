package dev.sluice.runtime.detached;

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
        return sequence + "." + attemptName(run.attempt());
    }

    /** Whether the folder of this name is that of an earlier run of the same task. */
    boolean isAfter(String folderName) {
        String name = folderName.substring(folderName.indexOf('.') + 1);
        for (int attempt = run.attempt() - 1; attempt > 0; attempt--) {
            if (name.equals(attemptName(attempt))) {
                return true;
            }
        }
        return false;
    }

    private String attemptName(int attempt) {
        return LogFiles.nameFor(run.partition() + "/" + run.application() + "/" + run.taskId() + "/" + attempt);
    }
}
