package dev.sluice.cli;

import dev.sluice.cli.run.LiveProgress;
import dev.sluice.cli.run.LoadClassProgress;
import dev.sluice.cli.run.PlainProgress;
import dev.sluice.cli.run.ProgressView;
import dev.sluice.cli.run.RunJson;
import dev.sluice.cli.run.RunLogs;
import dev.sluice.cli.run.RunTables;
import dev.sluice.cli.run.TaskOutput;
import dev.sluice.cli.run.TaskOutputMode;
import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.Style;
import dev.sluice.cli.terminal.TerminalStreams;
import dev.sluice.runtime.local.RunResult;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of what a run shows: progress, output of tasks and result. */
final class RunOutputOptions {

    @Option(
            names = "--task-output",
            paramLabel = "MODE",
            defaultValue = "none",
            converter = TaskOutputMode.ModeConverter.class,
            completionCandidates = TaskOutputMode.ModeNames.class,
            description =
                    "Output of tasks on standard output: group (of a task when it ends), prefix (line by line, after"
                            + " the task's name) or none (only in the logs). With group or prefix, the result goes to standard"
                            + " error. Default: none.")
    private TaskOutputMode taskOutput = TaskOutputMode.NONE;

    @Option(
            names = "--failure-lines",
            paramLabel = "N",
            defaultValue = "10",
            description = "Maximum number of log lines shown for a failed task. Default: 10.")
    private int failureLines = 10;

    @Option(
            names = {"-v", "--verbose"},
            description = "Start and end of every task, and which limits are enforced.")
    private boolean verbose;

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress, only the result.")
    private boolean quiet;

    @Option(names = "--all", description = "Long tables in full.")
    private boolean all;

    /** Throws a {@link UserException} if the options exclude each other. */
    void check(OutputOptions output) {
        OptionValues.requireAtLeast(0, "--failure-lines", failureLines);
        if (output.isJson() && showsTasks()) {
            throw new UserException("-o json and --task-output exclude each other: remove one");
        }
    }

    boolean isVerbose() {
        return verbose;
    }

    boolean isQuiet() {
        return quiet;
    }

    /** Returns whether tables have no row limit. */
    boolean showsAll() {
        return all;
    }

    /** Returns whether the output of tasks is shown; then nothing else goes to standard output. */
    boolean showsTasks() {
        return taskOutput != TaskOutputMode.NONE;
    }

    /** Returns the view of the progress of a run. */
    ProgressView progress(CommandSpec spec, OutputOptions output, int applications, long tasks) {
        if (quiet) {
            return ProgressView.none();
        }
        Style style = output.errorStyle();
        boolean sharesTerminal = showsTasks() && TerminalStreams.isOutputTerminal();
        if (!sharesTerminal && TerminalStreams.isErrorTerminal() && !"dumb".equals(System.getenv("TERM"))) {
            try {
                LiveLines lines = new LiveLines(new FileOutputStream(FileDescriptor.err));
                return new LiveProgress(lines, style, verbose, failureLines, applications, tasks);
            } catch (IOException e) {
                return PlainProgress.to(spec.commandLine().getErr(), style, verbose, failureLines);
            }
        }
        return PlainProgress.to(spec.commandLine().getErr(), style, verbose, failureLines);
    }

    /** Returns the output of the tasks of a run. */
    TaskOutput taskOutput(CommandSpec spec, OutputOptions output, RunLogs logs) {
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        return new TaskOutput(taskOutput, out, output.style(), logs, () -> {
            PrintWriter err = spec.commandLine().getErr();
            err.println("warning: standard output is closed: no more output of tasks is shown; the run continues");
            err.flush();
        });
    }

    /** Prints the result of a run. */
    void print(
            CommandSpec spec, OutputOptions output, RunResult result, List<LoadClassProgress> classes, Path directory) {
        PrintWriter err = spec.commandLine().getErr();
        if (!quiet) {
            err.println();
            err.flush();
        }
        PrintWriter out = showsTasks() ? err : spec.commandLine().getOut();
        if (output.isJson()) {
            RunJson.write(result, classes, directory, out);
        } else {
            Style style = showsTasks() ? output.errorStyle() : output.style();
            int lines = quiet ? failureLines : 0; // progress has shown them
            new RunTables(result, classes, directory, out, style, lines).print(all);
        }
        out.flush();
    }
}
