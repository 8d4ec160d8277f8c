/**
 * Running a job file on this machine: {@link dev.sluice.cli.run.Jobs} makes commands of it, {@link dev.sluice.cli.run.Progress}
 * follows the run and tells a {@link dev.sluice.cli.run.ProgressView} ({@link dev.sluice.cli.run.LiveProgress} on a terminal,
 * {@link dev.sluice.cli.run.PlainProgress} elsewhere), with the load classes by the way, {@link dev.sluice.cli.run.RunTables} and {@link dev.sluice.cli.run.RunJson}
 * say what became of it.
 */
package dev.sluice.cli.run;
