package dev.sluice.cli;

import dev.sluice.cli.run.CommandJob;
import dev.sluice.cli.run.CommandJob.CommandTask;
import dev.sluice.cli.run.CommandParameter;
import dev.sluice.cli.run.JobException;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.application.Retries;
import dev.sluice.core.resource.ResourceTypes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options of tasks that are given as commands, not by a job file. */
final class CommandOptions {

    /** Ends the options: a command and its arguments follow. */
    static final String END_OF_OPTIONS = "--";

    /** The name of the job in messages. */
    private static final String SOURCE = "command line";

    @Option(
            names = "--each",
            arity = "0..1",
            fallbackValue = "-",
            paramLabel = "FILE",
            description = "One task per line of a file, run by the shell. Default: standard input.")
    private @Nullable String each;

    @Option(
            names = "--matrix",
            paramLabel = "NAME=VALUES",
            description =
                    "One task for each value, which replaces {NAME} in the command: seed=1..10, x=0..1..0.25 (from, to,"
                            + " step) or lr=0.1,0.01. Several make all combinations.")
    private List<String> matrix = List.of();

    @Option(
            names = "--cpus",
            paramLabel = "N",
            description = "Cores of each task of a command or --each, such as 2 or 500m. Default: 1.")
    private @Nullable String cpus;

    @Option(names = "--memory", paramLabel = "SIZE", description = "Memory of each task, such as 4Gi.")
    private @Nullable String memory;

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs of each task (resource type gpu).")
    private @Nullable Integer gpus;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Queue of the application.")
    private @Nullable String queue;

    @Option(names = "--retries", paramLabel = "N", description = "How many times a failed task runs again. Default: 0.")
    private @Nullable Integer retries;

    @Option(
            names = "--retry-delay",
            paramLabel = "TIME",
            description = "Time between a failure and the first retry, such as 30s; it doubles with each retry.")
    private @Nullable Duration retryDelay;

    @Option(
            names = "--task-timeout",
            paramLabel = "TIME",
            description = "Maximum time of one run of a task, such as 1h.")
    private @Nullable Duration timeout;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "Name of the application. Default: that of the program, or of the file of --each.")
    private @Nullable String name;

    /** Returns the options that only have a meaning for commands, with their values or null. */
    private Map<String, @Nullable Object> given() {
        Map<String, @Nullable Object> options = new LinkedHashMap<>();
        options.put("--each", each);
        options.put("--matrix", matrix.isEmpty() ? null : matrix);
        options.put("--cpus", cpus);
        options.put("--memory", memory);
        options.put("--gpus", gpus);
        options.put("--queue", queue);
        options.put("--retries", retries);
        options.put("--retry-delay", retryDelay);
        options.put("--task-timeout", timeout);
        return options;
    }

    /** Returns the value of {@code --name}, or null. */
    @Nullable String name() {
        return name;
    }

    /** Returns the words after {@code --}, a command; an empty list without {@code --}. */
    static List<String> words(CommandSpec spec) {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        int end = arguments.indexOf(END_OF_OPTIONS);
        return end < 0 ? List.of() : arguments.subList(end + 1, arguments.size());
    }

    /** Throws if an option is given that has no effect without a command. */
    void refuse(String reason) {
        given().forEach((option, value) -> {
            if (value != null) {
                throw new UserException(option + " has no effect " + reason + ": remove " + option);
            }
        });
    }

    /** Throws if there is a name, which has no effect for this reason. */
    void refuseName(String reason) {
        if (name != null) {
            throw new UserException("--name has no effect " + reason + ": remove --name");
        }
    }

    /** A job made of commands: its text as a file and the name of its application. */
    record CommandSource(SourceFile file, String name) {}

    /**
     * Returns the job of the command line; null if it names job files instead.
     *
     * @param positional the parameters, including those after {@code --}
     */
    @Nullable CommandSource source(CommandSpec spec, List<String> positional, ColorOptions output) {
        List<String> words = words(spec);
        List<String> files = positional.subList(0, positional.size() - words.size());
        if (words.isEmpty() && each == null) {
            refuse("on a job file");
            return null;
        }
        if (!words.isEmpty() && each != null) {
            throw new UserException("--each and a command exclude each other: remove one");
        }
        if (!matrix.isEmpty() && each != null) {
            throw new UserException("--matrix and --each exclude each other: remove one");
        }
        if (!files.isEmpty()) {
            throw new UserException("a job file and " + (each == null ? "a command" : "--each")
                    + " exclude each other: remove \"" + files.get(0) + "\"");
        }
        if (each == null && words.get(0).isEmpty()) {
            throw new UserException("the command after -- is empty: add a program");
        }
        OptionValues.requireAtLeast(0, "--gpus", gpus);
        OptionValues.requireAtLeast(0, "--retries", retries);
        checkRetryDelay();
        if (timeout != null && timeout.isZero()) {
            throw new UserException("--task-timeout must be greater than 0: remove it for no limit");
        }
        String shown = name != null
                ? name
                : each == null
                        ? CommandJob.nameOf(withoutPlaceholders(words.get(0)), true)
                        : each.equals("-") ? "stdin" : CommandJob.nameOf(each, false);
        List<CommandTask> tasks = each == null ? CommandJob.ofWords(shown, words) : lines(each, spec, output);
        List<CommandParameter> parameters;
        try {
            parameters = CommandParameter.all(matrix);
        } catch (JobException e) {
            throw new UserException("--matrix: " + e.getMessage());
        }
        CommandJob job = new CommandJob(shown, queue, tasks, parameters, resources(), retries, retryDelay, timeout);
        return new CommandSource(SourceFile.ofText(SOURCE, job.text()), shown);
    }

    private void checkRetryDelay() {
        if (retryDelay != null && (retries == null || retries == 0)) {
            throw new UserException("--retry-delay has no effect without retries: add --retries");
        }
        if (retryDelay != null && (retryDelay.isZero() || retryDelay.compareTo(Retries.DELAY_MAX) > 0)) {
            throw new UserException("--retry-delay must be greater than 0 and at most 24h");
        }
    }

    private static List<CommandTask> lines(String file, CommandSpec spec, ColorOptions output) {
        SourceFile source = SourceFile.named(file, System.in);
        ParseResult<String> reading = source.text();
        List<CommandTask> tasks = CommandJob.ofLines(BadInputException.valueOf(reading, source, spec, output));
        if (tasks.isEmpty()) {
            throw new UserException("nothing to do: " + source.name() + " contains no command");
        }
        return tasks;
    }

    /** Returns a program's path without the values of a matrix, which differ between tasks. */
    private String withoutPlaceholders(String program) {
        String rest = program;
        for (String option : matrix) {
            rest = rest.replace("{" + option.substring(0, Math.max(0, option.indexOf('='))) + "}", "");
        }
        return rest.isEmpty() ? "command" : rest;
    }

    private OutputMap resources() {
        OutputMap resources = new OutputMap();
        put(resources, "--cpus", ResourceTypes.VCORE, cpus);
        put(resources, "--memory", ResourceTypes.MEMORY, memory);
        if (gpus != null) {
            resources.put("gpu", Output.number(gpus));
        }
        return resources;
    }

    private static void put(OutputMap resources, String option, String type, @Nullable String quantity) {
        if (quantity == null) {
            return;
        }
        OptionValues.requireQuantity(option, type, quantity);
        resources.put(type, Output.text(quantity));
    }
}
