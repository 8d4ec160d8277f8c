package dev.sluice.cli;

import dev.sluice.cli.CommandOptions.CommandSource;
import dev.sluice.cli.client.Contexts;
import dev.sluice.cli.plan.Plan;
import dev.sluice.cli.run.CommandJob;
import dev.sluice.cli.run.Interruption;
import dev.sluice.cli.run.JobException;
import dev.sluice.cli.run.Jobs;
import dev.sluice.cli.run.LogDirectory;
import dev.sluice.cli.run.Progress;
import dev.sluice.cli.run.ProgressView;
import dev.sluice.cli.run.RunLogs;
import dev.sluice.cli.run.TaskOutput;
import dev.sluice.cli.source.FileProblem;
import dev.sluice.cli.source.ProblemPrinter;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problem;
import dev.sluice.config.snapshot.JobFile;
import dev.sluice.config.snapshot.JobFileReader;
import dev.sluice.config.snapshot.SecretEncryption;
import dev.sluice.config.snapshot.SubmissionOrigin;
import dev.sluice.core.command.Refusal;
import dev.sluice.runtime.file.PrivateFiles;
import dev.sluice.runtime.host.SteadyClock;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.local.LocalRun;
import dev.sluice.runtime.local.RunJournal;
import dev.sluice.runtime.local.RunResult;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.secret.SecretCipher;
import dev.sluice.runtime.secret.SecretKeyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs commands or the applications of a job file on this machine. */
@Command(
        name = "run",
        description = {
            "Run commands or the tasks of a job file on this machine",
            "",
            "What follows -- is one command. --each runs every line of a file as a shell command. Otherwise FILE says what"
                    + " to run.",
            "",
            "Waits until all applications have ended. Every task is a process with its own log file. If the file has no"
                    + " nodes, there is one node, local, with the cores, the memory and the GPUs available to this"
                    + " process. If it has no partitions, there is one queue, root.default. A task without resources"
                    + " uses one slot and one core (one slot if no node has cores).",
            "",
            "Tasks inherit the environment and get SLUICE_APPLICATION, SLUICE_TASK, SLUICE_TASK_INDEX,"
                    + " SLUICE_ATTEMPT, SLUICE_RUN_DIRECTORY (the log folder of this run) and SLUICE_SCRATCH (a"
                    + " folder of each run of a task, removed when it has ended).",
            "",
            "With share policy load, progress shows the loans of every class. Ctrl-C stops all tasks.",
            "",
            "The log folder contains a journal. After Ctrl-C, a crash or a reboot, --resume continues: finished"
                    + " tasks stay finished, tasks that were running count as lost and run again."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice run examples/quickstart.yaml",
            "  sluice run -- python train.py --lr 0.1",
            "  sluice run --each commands.txt --cpus 2 --retries 1",
            "  generate-commands | sluice run --each",
            "  sluice run --matrix lr=0.1,0.01 --matrix seed=1..10 -- ./train {lr} {seed}",
            "  sluice run nightly.yaml --config queues.yaml --logs /var/log/nightly",
            "  sluice run --slots 8 many-small-tasks.yaml",
            "  sluice run nightly.yaml --not-before 2026-12-01T02:00",
            "  sluice run examples/ci-farm.yaml      # load classes that lend workers",
            "  sluice run examples/research.yaml     # fair shares over time",
            "  sluice run jobs.yaml -o json | jq '.applications[].state'",
            "  sluice run --resume                   # continue the latest run",
            "  sluice run --resume-failed .sluice/logs/2026-01-05_08-00-00-nightly",
            "",
            "Exit codes: 0 all applications completed, 1 an application failed, was rejected or could not finish, 2 bad"
                    + " input (nothing was started), 130 interrupted."
        })
final class RunCommand implements Callable<Integer> {

    /** Time for the end of all processes, in addition to the grace period. */
    private static final Duration MARGIN = Duration.ofSeconds(20);

    /** Options that only have a meaning if tasks are started. */
    private static final List<String> ONLY_RUNNING = List.of(
            "--logs",
            "--log-max",
            "--grace",
            "--limits",
            "--fail-fast",
            "--task-output",
            "--failure-lines",
            "--verbose",
            "--quiet",
            "--notify-command",
            "--notify-url");

    /** Stands for the latest run; a directory with this name can be given as {@code ./latest}. */
    private static final String LATEST = "latest";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Job file; - is standard input. Or, after --, a command and its arguments.")
    private List<String> words = List.of();

    @Mixin
    private CommandOptions commands = new CommandOptions();

    @Mixin
    private ExportOptions exports = new ExportOptions();

    @Mixin
    private RunStartOptions start = new RunStartOptions();

    @Mixin
    private RunOutputOptions shows = new RunOutputOptions();

    @Mixin
    private NotificationOptions notifications = new NotificationOptions();

    @Option(
            names = "--resume",
            arity = "0..1",
            fallbackValue = LATEST,
            paramLabel = "DIR",
            description = "Continue the run with this log folder. Default: the latest one below .sluice/logs.")
    private @Nullable String resumed;

    @Option(
            names = "--resume-failed",
            arity = "0..1",
            fallbackValue = LATEST,
            paramLabel = "DIR",
            description = "Same as --resume, but failed and stopped tasks run again, too.")
    private @Nullable String resumedFailed;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Queue configuration whose partitions replace those of the job file.")
    private @Nullable String config;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description = "Folder for task logs. Default: a new folder below .sluice/logs.")
    private @Nullable Path logs;

    @Option(
            names = "--log-max",
            paramLabel = "SIZE",
            defaultValue = "1Gi",
            converter = ServeCommand.SizeConverter.class,
            description = "Maximum log size of a task, such as 500M; more output is dropped. Default: 1Gi.")
    private long logMax;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "Grace period between stopping and killing a task. Default: 5s.")
    private Duration grace = Duration.ofSeconds(5);

    @Option(
            names = "--slots",
            paramLabel = "N",
            description =
                    "Number of one-core tasks to run at a time, regardless of the cores; for files without nodes.")
    private @Nullable Integer slots;

    @Mixin
    private MachineOptions machine = new MachineOptions();

    @Option(
            names = "--dry-run",
            description = "Start nothing; show what would start at once, what would wait and what can never start.")
    private boolean dryRun;

    @Option(
            names = "--strict",
            description = "Warnings as errors: a file with a warning, such as a request for more of a resource than any"
                    + " node has, is not run.")
    private boolean strict;

    @Option(names = "--fail-fast", description = "Stop everything when the first task has failed after all retries.")
    private boolean failFast;

    @Override
    public Integer call() {
        OptionValues.requireAtLeast(1, "--slots", slots);
        OptionValues.requireAtLeast(1, "--log-max", logMax);
        start.check();
        shows.check(output);
        return resumed != null || resumedFailed != null ? resume() : start();
    }

    private int start() {
        CommandSource job = commands.source(spec, words, output);
        if (job == null) {
            commands.refuseName("on a job file");
        }
        if (job == null && words.size() != 1) {
            throw words.isEmpty()
                    ? new MissingParameterException(
                            spec.commandLine(),
                            spec.positionalParameters().get(0),
                            "Missing required parameter: 'FILE'")
                    : new UserException("one job file expected, found " + words.size()
                            + ": write -- before a command: sluice run -- " + words.get(0) + " …");
        }
        Partitions partitions = Partitions.of(config, spec, output);
        SourceFile source = job == null ? SourceFile.named(words.get(0), System.in) : job.file();
        SubmissionOrigin origin = new SubmissionOrigin(null, exports.variables(System.getenv()))
                .withSecrets(exports.secrets(System.getenv()))
                .withEncryption(dryRun ? SecretEncryption.DISCARD : secrets());
        Instant now = Instant.now();
        ParseResult<JobFile> reading = source.read(
                path -> JobFileReader.read(path, now, partitions.given(), origin),
                (name, text) -> JobFileReader.read(name, text, now, partitions.given(), origin));
        JobFile jobFile = BadInputException.valueOf(reading, source, spec, output);
        Jobs jobs;
        try {
            jobs = Jobs.of(
                    jobFile,
                    slots == null ? 0 : slots,
                    machine.gpus(),
                    System.getProperty("user.name", "nobody"),
                    start.notBefore());
        } catch (JobException e) {
            throw new UserException(source.name() + ": " + e.getMessage());
        }
        List<Problem> missing = jobFile.missingTypeProblems(source.name(), jobs.nodes());
        if (!missing.isEmpty()) {
            BadInputException.valueOf(new ParseResult<>(null, missing, 0, List.of()), source, spec, output);
        }
        warn(jobFile, jobs, reading.warnings(), source);
        machine.requireGpus(jobs.gpus());
        if (dryRun) {
            return plan(jobs, jobFile, source);
        }
        machine.limits(); // reports what cannot be enforced before there is a journal
        Path directory = makeLogDirectory(
                job != null ? job.name() : words.get(0).equals("-") ? "stdin" : CommandJob.nameOf(words.get(0), false));
        try (RunJournal journal = RunJournal.create(directory)) {
            return run(directory, journal, jobs.applications(), jobs.tasks(), run -> {
                Refusal refusal = run.prepare(jobs.commands());
                if (refusal != null) {
                    journal.discard();
                    throw new UserException(source.name() + ": " + refusal.message());
                }
                jobs.usagePriorities().forEach(run::prepare);
            });
        } catch (StoreException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    /** Warns about requests for more of a resource than any node has; with {@code --strict} nothing is run after a warning. */
    private void warn(JobFile jobFile, Jobs jobs, List<Problem> known, SourceFile source) {
        List<Problem> warnings = jobFile.tooLargeProblems(source.name(), jobs.nodes());
        new ProblemPrinter(spec.commandLine().getErr(), output.errorStyle())
                .print(source, new ParseResult<>(jobFile, List.of(), 0, warnings));
        if (strict && !(known.isEmpty() && warnings.isEmpty())) {
            throw new UserException("nothing started because of warnings (--strict)");
        }
    }

    private int plan(Jobs jobs, JobFile jobFile, SourceFile source) {
        for (String option : ONLY_RUNNING) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new UserException(option + " has no effect with --dry-run: remove one");
            }
        }
        Instant now = Instant.now();
        try {
            PlanCommand.print(
                    Plan.of(jobs.scheduler(now), now, jobFile.applications()), spec, output, shows.showsAll());
        } catch (JobException e) {
            throw new UserException(source.name() + ": " + e.getMessage());
        }
        return ExitCode.OK;
    }

    private Path makeLogDirectory(String job) {
        try {
            return logs == null
                    ? LogDirectory.create(job, LocalDateTime.now(ZoneId.systemDefault()))
                    : PrivateFiles.createFolders(logs);
        } catch (IOException e) {
            throw new UserException("cannot create the log folder: " + FileProblem.text(e));
        }
    }

    private int resume() {
        if (resumed != null && resumedFailed != null) {
            throw new UserException("--resume and --resume-failed exclude each other: remove one");
        }
        commands.refuse("when a run is resumed");
        commands.refuseName("when a run is resumed");
        String given = exports.given();
        refuse(given == null ? "" : given, given);
        refuse("FILE", words.isEmpty() ? null : words);
        refuse("--config", config);
        refuse("--logs", logs);
        refuse("--slots", slots);
        refuse("--not-before", start.notBefore());
        refuse("--dry-run", dryRun ? true : null);
        refuse("--strict", strict ? true : null);
        machine.limits();
        Path directory = resumedDirectory();
        try (RunJournal journal = RunJournal.open(directory, grace)) {
            if (resumedFailed != null) {
                journal.rerunUnsuccessful();
            }
            return run(directory, journal, journal.applications(), journal.tasks(), run -> {});
        } catch (StoreException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    private void refuse(String name, @Nullable Object value) {
        if (value != null) {
            throw new UserException(name + " has no effect when a run is resumed: remove " + name
                    + (name.equals("FILE") ? " (the journal contains the jobs)" : ""));
        }
    }

    private Path resumedDirectory() {
        String given = resumed != null ? resumed : resumedFailed;
        if (given != null && !given.equals(LATEST)) {
            return Path.of(given);
        }
        try {
            Path latest = LogDirectory.latest();
            if (latest == null) {
                throw new UserException("no run to resume below .sluice/logs: name the log folder of the run");
            }
            return latest;
        } catch (IOException e) {
            throw new UserException("cannot read .sluice/logs: " + FileProblem.text(e));
        }
    }

    private int run(Path directory, RunJournal journal, int applications, long tasks, Consumer<LocalRun> preparation) {
        ProgressView view = shows.progress(spec, output, applications, tasks);
        RunLogs files = new RunLogs(directory);
        Progress progress = new Progress(view, files);
        view.setRestoring(true);
        TaskOutput taskOutput = shows.taskOutput(spec, output, files);
        LocalRun run = new LocalRun(directory, grace, SteadyClock.system(), journal, files, progress, taskOutput);
        view.setRestoring(false);
        taskOutput.start();
        run.limitLogs(logMax);
        if (failFast) {
            run.failFast();
        }
        Interruption interruption = Interruption.of(run, view, grace.plus(MARGIN));
        RunResult result;
        try {
            try (taskOutput;
                    view) {
                preparation.accept(run);
                Confinement confinement = machine.confinement(run.gpus());
                explain(confinement);
                run.confine(confinement);
                run.decrypt(secrets());
                result = run.run();
            }
            shows.print(spec, output, result, progress.loadClasses(), directory);
            hint(result, directory, journal.problem());
            notifications.send(result, directory, spec);
        } finally {
            interruption.close();
        }
        return result.interrupted() ? ExitCode.INTERRUPTED : result.isSuccess() ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Returns the cipher of this user, with which a resumed run decrypts the secrets in its journal. */
    private static SecretCipher secrets() {
        Path contexts = Contexts.file(System.getenv(), System.getProperty("user.home", ""));
        return new SecretCipher(new SecretKeyFile(contexts.resolveSibling(SecretKeyFile.NAME), true));
    }

    private void explain(Confinement confinement) {
        if (shows.isVerbose()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("limits of tasks: " + confinement.limits().description());
            if (confinement.gpus().count() > 0) {
                err.println("assigns " + confinement.gpus());
            }
            err.flush();
        }
    }

    /** Prints how the run can be resumed, or why it cannot. */
    private void hint(RunResult result, Path directory, @Nullable String problem) {
        PrintWriter err = spec.commandLine().getErr();
        if (problem != null) {
            err.println("warning: this run cannot be resumed: " + problem);
        } else if (!shows.isQuiet() && !output.isJson() && result.interrupted()) {
            err.println("resume with: sluice run --resume " + directory);
        } else if (!shows.isQuiet() && !output.isJson() && result.hasFailures()) {
            err.println("run failed tasks again with: sluice run --resume-failed " + directory);
        }
        err.flush();
    }
}
