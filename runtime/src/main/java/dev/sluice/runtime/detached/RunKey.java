package dev.sluice.runtime.detached;

import dev.sluice.core.application.RunRef;
import dev.sluice.runtime.process.LogFiles;
import java.util.regex.Pattern;

/**
 * Identifies one run of one task, across restarts. Application ids are reused; numbers of allocations are not.
 *
 * @param run the run
 * @param allocation the number of its allocation in its partition, at least 0; unique within the partition
 */
public record RunKey(RunRef run, long allocation) {

    /** The names of run folders, which are those of a number and a file (see {@link LogFiles#nameFor}). */
    private static final Pattern FOLDER_NAME = Pattern.compile("[0-9]+\\.[A-Za-z0-9_.%~-]+");

    /** Throws {@link IllegalArgumentException} if the number of the allocation is negative. */
    public RunKey {
        if (allocation < 0) {
            throw new IllegalArgumentException("number of an allocation must not be negative: " + allocation);
        }
    }

    /** Returns the name of the run's folder, which is unique to this key. Former versions name folders the same way. */
    String folderName() {
        return allocation + "." + attemptName(run.attempt());
    }

    /** Returns whether a run can have a folder of this name, which is then a single file name. */
    static boolean isFolderName(String name) {
        return FOLDER_NAME.matcher(name).matches();
    }

    /**
     * Returns whether the folder of this name belongs to an earlier run of the same task, or of that of a former
     * application with the same id, unless the former one had more attempts.
     */
    boolean isAfter(String folderName) {
        String name = folderName.substring(folderName.indexOf('.') + 1);
        for (int attempt = folderName.equals(folderName()) ? 0 : run.attempt(); attempt > 0; attempt--) {
            if (name.equals(attemptName(attempt))) {
                return true;
            }
        }
        return false;
    }

    private String attemptName(int attempt) {
        return LogFiles.nameFor(run.task() + "/" + attempt);
    }
}
