package dev.sluice.runtime.local;

import dev.sluice.core.application.TaskRef;
import dev.sluice.runtime.process.LogFiles;
import java.nio.file.Path;

/**
 * The folder of all log files: a folder per partition, one per application in it, a file per task.
 *
 * @param folder the folder
 * @param byPartition whether there are folders of partitions; without them the partitions must not share ids
 */
public record LogFolder(Path folder, boolean byPartition) {

    /** Returns the log file of a task. */
    public Path file(TaskRef task) {
        return file(task.partition(), task.application(), task.id());
    }

    /** Returns the folder of an application. */
    public Path application(String partition, String application) {
        Path parent = byPartition ? folder.resolve(LogFiles.nameFor(partition)) : folder;
        return parent.resolve(LogFiles.nameFor(application));
    }

    /** Returns the log file of the task with this id. */
    public Path file(String partition, String application, String taskId) {
        return application(partition, application).resolve(LogFiles.nameFor(taskId) + ".log");
    }
}
