package dev.sluice.cli.run;

import java.nio.file.Path;

/**
 * How a run of a task ended.
 *
 * @param task task id
 * @param how outcome, such as {@code succeeded} or {@code failed: exit code 1}
 * @param bad whether the run failed
 * @param again whether the task will be retried
 * @param log log file of the task
 */
public record TaskEnd(String task, String how, boolean bad, boolean again, Path log) {}
