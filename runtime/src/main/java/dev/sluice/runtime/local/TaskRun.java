package dev.sluice.runtime.local;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run of one task.
 *
 * @param partition the partition
 * @param application the id of the application
 * @param task the name of the task group
 * @param index the index of the task in its group, from 0
 * @param taskId the id of the task
 * @param attempt the number of the run, from 1
 */
public record TaskRun(String partition, String application, String task, int index, String taskId, int attempt) {

    /** Returns a reference to the run. */
    public RunRef ref() {
        int position = taskId.equals(task) ? TaskRef.SINGLE : index;
        return new RunRef(new TaskRef(partition, application, task, position), attempt);
    }

    /** Returns the environment variables that identify the run to its process. */
    public SortedMap<String, String> variables() {
        SortedMap<String, String> variables = new TreeMap<>();
        variables.put("SLUICE_APPLICATION", application);
        variables.put("SLUICE_TASK", taskId);
        variables.put("SLUICE_TASK_INDEX", Integer.toString(index));
        variables.put("SLUICE_ATTEMPT", Integer.toString(attempt));
        return variables;
    }
}
