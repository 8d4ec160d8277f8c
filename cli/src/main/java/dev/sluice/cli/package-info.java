/**
 * The program {@code sluice}: one class per command.
 *
 * <p>{@link dev.sluice.cli.Sluice} is the entry point. Results go to standard output; errors and progress go to
 * standard error, so that a result can be piped. {@link dev.sluice.cli.ExitCode} lists the exit codes;
 * {@link dev.sluice.cli.OutputOptions} are the shared options.
 *
 * <p>Commands that query a server extend {@link dev.sluice.cli.ServerCommand}, which provides the server options and
 * prints tables, JSON or YAML. Package {@code dev.sluice.cli.client} is the HTTP client, {@code dev.sluice.cli.answer}
 * prints its responses.
 */
package dev.sluice.cli;
