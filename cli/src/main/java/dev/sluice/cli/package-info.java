/**
 * The program {@code sluice}: one class per command.
 *
 * <p>{@link dev.sluice.cli.Sluice} is the entry; {@link dev.sluice.cli.PlanCommand}, {@link dev.sluice.cli.ValidateCommand},
 * {@link dev.sluice.cli.RunCommand} and {@link dev.sluice.cli.CompletionCommand} read their options and hand over. Results go to
 * standard output; problems and progress go to standard error, so that a result can be piped. {@link dev.sluice.cli.ExitCode}
 * lists what the program answers with; {@link dev.sluice.cli.OutputOptions} are the options that commands share.
 *
 * <p>Commands that ask a server extend {@link dev.sluice.cli.ServerCommand}, which brings the options about it and writes answers as tables,
 * JSON or YAML; how it is asked is in {@code dev.sluice.cli.client}, how answers are shown in {@code dev.sluice.cli.answer}.
 */
package dev.sluice.cli;
