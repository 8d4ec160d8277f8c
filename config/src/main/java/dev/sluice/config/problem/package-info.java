/**
 * Problems of files, as the readers of this module report them.
 *
 * <p>A reader returns a {@link dev.sluice.config.problem.ParseResult}: the value, or every
 * {@link dev.sluice.config.problem.Problem} of the file, in the order of the file, with line and column. Warnings are
 * included in both cases. No reader throws an exception because of the contents of a file.
 *
 * <p>{@link dev.sluice.config.problem.Problems} collects while a file is read; it keeps the first hundred and counts
 * the rest. {@link dev.sluice.config.problem.SpellingHints} finds the most similar known word.
 *
 * <p>A message says what is wrong and how to fix it, and quotes the text of the file:
 *
 * <pre>
 * queues.yaml:12:27: unknown sort policy "fifoo": did you mean "fifo"?
 * </pre>
 */
package dev.sluice.config.problem;
