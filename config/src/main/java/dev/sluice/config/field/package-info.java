/**
 * Reads the values of a document as what they should be.
 *
 * <p>A {@link dev.sluice.config.field.Field} is a value with its path, such as {@code partitions[0].name}; it is read as text, a
 * flag, a number, a duration, an instant, amounts, one word of several, a list or a map. What it is not becomes a problem with
 * line, column and path, and null is returned, so that a reader goes on and finds the next problem.
 *
 * <p>A {@link dev.sluice.config.field.Section} is a map whose {@link dev.sluice.config.field.Keys} are known; any other key is a
 * problem that names the key that was probably meant.
 *
 * <p>{@link dev.sluice.config.field.DurationText} is how durations are written.
 */
package dev.sluice.config.field;
