/**
 * How the readers of this module say what is wrong.
 *
 * <p>A reader returns a {@link dev.sluice.config.problem.ParseResult}: the value, or the list of every
 * {@link dev.sluice.config.problem.Problem} of the file, in the order of the file, each with line and column. Warnings come
 * along in either case. No reader throws for what a file says.
 *
 * <p>While reading, {@link dev.sluice.config.problem.Problems} collects; it keeps the first hundred and counts the rest.
 * {@link dev.sluice.config.problem.SpellingHints} finds the word that somebody probably meant.
 *
 * <p>A message names what is wrong and the cure, in plain English, with what was written in quotes:
 *
 * <pre>
 * queues.yaml:12:27: unknown sort policy "fifoo": did you mean "fifo"?
 * </pre>
 */
package dev.sluice.config.problem;
