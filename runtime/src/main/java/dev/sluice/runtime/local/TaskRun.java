package dev.sluice.runtime.local;

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
public record TaskRun(String partition, String application, String task, int index, String taskId, int attempt) {}
