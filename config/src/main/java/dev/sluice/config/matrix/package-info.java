/**
 * Parameters of tasks: a task with a {@code matrix} is read as one task for each combination of its values.
 *
 * <p>{@link dev.sluice.config.matrix.TaskMatrix} is the entry point. It reads {@code matrix}, {@code zip} and
 * {@code exclude} and makes the values of the tasks, which are then read like tasks written one by one. Positions are
 * those of the task in the file. A {@link dev.sluice.config.matrix.TextTemplate} inserts the values into text, safely
 * where a shell reads it, and an {@link dev.sluice.config.matrix.ExpansionLimit} bounds what a small file can grow to.
 */
package dev.sluice.config.matrix;
