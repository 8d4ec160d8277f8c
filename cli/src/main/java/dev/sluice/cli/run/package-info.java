/**
 * The command {@code sluice run}: {@link dev.sluice.cli.run.Jobs} turns a job file into commands,
 * {@link dev.sluice.cli.run.Progress} translates events for a {@link dev.sluice.cli.run.ProgressView}
 * ({@link dev.sluice.cli.run.LiveProgress} on a terminal, else {@link dev.sluice.cli.run.PlainProgress}), and
 * {@link dev.sluice.cli.run.RunTables} and {@link dev.sluice.cli.run.RunJson} print the result.
 */
package dev.sluice.cli.run;
