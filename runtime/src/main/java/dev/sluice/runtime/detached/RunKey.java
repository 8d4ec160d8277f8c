package dev.sluice.runtime.detached;

import dev.sluice.runtime.local.TaskRun;
import dev.sluice.runtime.process.LogFiles;

/**
 * Identifies one run of one task, across restarts. Application ids are reused; sequence numbers are not.
 *
 * @param run the run
 * @param sequence the number of its allocation in its partition, at least 0; unique within the partition
 */
public record RunKey(TaskRun run, long sequence) {

    /** Throws {@link IllegalArgumentException} if the sequence number is negative. */
    public RunKey {
        if (sequence < 0) {
            throw new IllegalArgumentException("sequence number must not be negative: " + sequence);
        }
    }

    /** Returns the name of the run's folder, which is unique to this key. */
    String folderName() {
        return sequence + "." + attemptName(run.attempt());
    }

    /** Returns whether the folder of this name belongs to an earlier run of the same task. */
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
