/**
 * Reads typed values from documents.
 *
 * <p>A {@link dev.sluice.config.field.Field} is a value with its path, such as {@code partitions[0].name}. It can be
 * read as text, a truth value, a number, a duration, an instant, amounts, one of several words, a list or a map. A
 * value of another type is reported as a problem with line, column and path, and null is returned, so that a reader
 * continues and finds the next problem.
 *
 * <p>A {@link dev.sluice.config.field.Section} is a map with fixed {@link dev.sluice.config.field.Keys}. Any other key
 * is a problem that names the most similar key. Each {@link dev.sluice.config.field.Key} has a type and its
 * documentation.
 *
 * <p>{@link dev.sluice.config.field.DurationText} reads and writes durations.
 */
package dev.sluice.config.field;
