package dev.sluice.runtime.local;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run of one task.
 *
 * @param partition the partition
 * @param application the application's id
 * @param task the name of the task's specification
 * @param index which of the tasks of that specification, from 0
 * @param taskId the task's id
 * @param attempt which run of the task, from 1
 */
public record TaskRun(String partition, String application, String task, int index, String taskId, int attempt) {

    /** The variables that tell a task which one it is. */
    public SortedMap<String, String> variables() {
        SortedMap<String, String> variables = new TreeMap<>();
        variables.put("SLUICE_APPLICATION", application);
        variables.put("SLUICE_TASK", taskId);
        variables.put("SLUICE_TASK_INDEX", Integer.toString(index));
        variables.put("SLUICE_ATTEMPT", Integer.toString(attempt));
        return variables;
    }
}
