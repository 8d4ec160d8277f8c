package dev.sluice.cli;

import dev.sluice.cli.simulate.ComparisonTables;
import dev.sluice.cli.simulate.NodesOption;
import dev.sluice.cli.simulate.SimulationProgress;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.TerminalStreams;
import dev.sluice.config.field.DurationText;
import dev.sluice.config.problem.Reading;
import dev.sluice.config.situation.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.report.ComparisonJson;
import dev.sluice.simulator.report.HtmlReport;
import dev.sluice.simulator.simulation.Contest;
import dev.sluice.simulator.simulation.ContestListener;
import dev.sluice.simulator.simulation.ContestSetup;
import dev.sluice.simulator.simulation.SimulationException;
import dev.sluice.simulator.workload.BrokenLines;
import dev.sluice.simulator.workload.Survey;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadFile;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tries configurations on work as it was or might be. */
@Command(
        name = "simulate",
        description = {
            "Run queue configurations on the same workload in virtual time, and compare what each makes of it: how long work waits, how"
                    + " well the nodes are used, who gets which share. The scheduler itself runs; only time, tasks and nodes are simulated.",
            "A workload is a log in the Standard Workload Format (.swf, .swf.gz), a table (.csv, .csv.gz) with a mapping of its columns, a job"
                    + " file whose tasks have a duration, or a file that describes made-up work (synthetic:). docs/workloads.md tells"
                    + " how to write them.",
            "Besides the configurations three bounds are worked out: the shortest first, nodes without limits, and a random order."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice simulate --workload examples/simulate/office.yaml --config examples/simulate/fair.yaml --config"
                    + " examples/simulate/usage.yaml --report office.html",
            "  sluice simulate --workload log.swf.gz --nodes 1600 --config queues.yaml     on one node of 1,600 cores",
            "  sluice simulate --workload jobs.csv --mapping mapping.yaml --nodes 55:gpu=8 --config queues.yaml",
            "  sluice simulate --workload jobs.yaml -o json | jq '.runs[] | {name, wait: .total.waiting.mean}'",
            "",
            "Exit codes: 0 all were simulated, even if some work never started; 2 bad input."
        })
final class SimulateCommand implements Callable<Integer> {

    /** How many of the lines that cannot be read are shown. */
    private static final int BROKEN_SHOWN = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--workload", paramLabel = "FILE", required = true, description = "What is submitted, and when.")
    private String workload = "";

    @Option(names = "--mapping", paramLabel = "FILE", description = "What the columns of a table mean.")
    private @Nullable String mapping;

    @Option(
            names = "--nodes",
            paramLabel = "NODES",
            description =
                    "What it runs on: a number of cores (1600), nodes that are alike (16:vcore=32,memory=128Gi), or a file"
                            + " with a list of nodes. Default: the nodes that the workload tells of.")
    private @Nullable String nodes;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "A queue configuration to try; may be given several times. Default: that of the workload, else one queue.")
    private List<String> configs = new ArrayList<>();

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "Stop at this time, or so long after the first submission (7d). Default: when all has ended.")
    private @Nullable String until;

    @Option(names = "--report", paramLabel = "FILE", description = "Write a page with plots and all figures there.")
    private @Nullable Path report;

    @Option(
            names = "--time-scale",
            paramLabel = "X",
            defaultValue = "1",
            description = "Multiply the times between submissions by this: 0.5 submits twice as fast. Default: 1.")
    private double timeScale = 1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "0",
            description = "Of all that is drawn by lot. Default: 0.")
    private long seed;

    @Option(
            names = "--broken-max",
            paramLabel = "PERCENT",
            defaultValue = "1",
            description = "How many lines of the workload may be left out because they cannot be read. Default: 1 %%.")
    private double brokenMax = 1;

    @Option(
            names = "--bounds",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Work out the bounds to compare with. Default: yes.")
    private boolean bounds = true;

    @Option(
            names = {"-q", "--quiet"},
            description = "Show no progress, just the result.")
    private boolean quiet;

    @Option(names = "--all", description = "Show long tables in full.")
    private boolean all;

    @Override
    public Integer call() {
        if (!(timeScale > 0) || timeScale > 1e6) {
            throw new UserException("--time-scale is above 0 and at most 1000000");
        }
        if (!(brokenMax >= 0) || brokenMax > 100) {
            throw new UserException("--broken-max is from 0 to 100");
        }
        checkReport();
        Workload work = readWorkload();
        List<NodeEntry> cluster = readNodes(work);
        List<ContestSetup.Contestant> contestants = readConfigurations(work);
        try {
            Survey survey = survey(work);
            Comparison comparison = compare(new ContestSetup(
                    work,
                    survey,
                    cluster,
                    contestants,
                    bounds,
                    timeScale,
                    until(survey),
                    null,
                    seed,
                    Runtime.getRuntime().availableProcessors()));
            show(comparison);
        } catch (IOException e) {
            throw new UserException(workload + ": " + e.getMessage());
        } catch (SimulationException e) {
            throw new UserException("this cannot be simulated: " + e.getMessage());
        }
        return ExitCode.OK;
    }

    /** Better now than after everything was worked out. */
    private void checkReport() {
        if (report == null) {
            return;
        }
        Path folder = report.toAbsolutePath().getParent();
        if (Files.isDirectory(report) || folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new UserException("the report cannot be written to " + report
                    + ": there is no such folder, or no right to" + " write in it");
        }
    }

    private Workload readWorkload() {
        boolean forNodes = nodes != null && NodesOption.isTable(nodes);
        boolean forWorkload = WorkloadFile.mayBeTable(Path.of(workload)) || !forNodes;
        Path columns = mapping == null || !forWorkload ? null : Path.of(mapping);
        return read(WorkloadFile.read(Path.of(workload), columns), workload);
    }

    private List<NodeEntry> readNodes(Workload work) {
        if (nodes != null) {
            return read(NodesOption.read(nodes, mapping == null ? null : Path.of(mapping)), nodes);
        }
        if (work.nodes().isEmpty()) {
            throw new UserException(
                    workload + " tells of no nodes: say with --nodes what it runs on, such as --nodes 64 for 64"
                            + " cores or --nodes 16:vcore=32,memory=128Gi");
        }
        return work.nodes();
    }

    /** What was read; problems are shown with the lines of the file that they are about. */
    private <T> T read(Reading<? extends T> reading, String file) {
        String wrong =
                reading.problems().isEmpty() ? file : reading.problems().get(0).file();
        SourceFile source = SourceFile.named(wrong.equals(mapping) ? wrong : file, System.in);
        return BadInputException.valueOf(reading, source, spec, output);
    }

    private List<ContestSetup.Contestant> readConfigurations(Workload work) {
        List<ContestSetup.Contestant> contestants = new ArrayList<>();
        for (String config : configs) {
            List<PartitionConfiguration> given =
                    Partitions.of(config, spec, output).given();
            if (given != null) {
                contestants.add(new ContestSetup.Contestant(name(config, contestants), given));
            }
        }
        if (contestants.isEmpty()) {
            contestants.add(new ContestSetup.Contestant(
                    work.partitions().isEmpty() ? "one-queue" : "as-in-the-workload",
                    work.partitions().isEmpty() ? List.of(PartitionConfiguration.simplest()) : work.partitions()));
        }
        return contestants;
    }

    /** The file's name without folders and extension; its whole path if another configuration is called that already. */
    private static String name(String config, List<ContestSetup.Contestant> others) {
        Path file = Path.of(config).getFileName();
        String plain = file == null ? config : file.toString();
        int dot = plain.lastIndexOf('.');
        String name = dot > 0 ? plain.substring(0, dot) : plain;
        boolean taken = others.stream().anyMatch(other -> other.name().equals(name));
        return taken ? config : name;
    }

    private Survey survey(Workload work) throws IOException {
        Survey survey = Survey.of(work);
        BrokenLines broken = survey.broken();
        PrintWriter err = spec.commandLine().getErr();
        if (broken.broken() > 0) {
            err.println(output.errorStyle().warning("warning:")
                    + String.format(
                            Locale.ROOT,
                            " %,d of %,d lines of %s cannot be read and are left out",
                            broken.broken(),
                            broken.lines(),
                            workload));
            broken.first().stream().limit(BROKEN_SHOWN).forEach(problem -> err.println("  " + problem));
            err.flush();
        }
        if (broken.share() * 100 > brokenMax) {
            throw new UserException(String.format(
                    Locale.ROOT,
                    "%.1f %% of the lines of %s cannot be read, more than the %s %% that --broken-max allows",
                    broken.share() * 100,
                    workload,
                    String.valueOf(brokenMax).replaceAll("\\.0$", "")));
        }
        if (survey.first() == null) {
            throw new UserException(workload + ": nothing is submitted in it");
        }
        return survey;
    }

    private @Nullable Instant until(Survey survey) {
        Instant first = survey.first();
        if (until == null || first == null) {
            return null;
        }
        try {
            return Instant.parse(until);
        } catch (DateTimeParseException notAnInstant) {
            try {
                Duration after = DurationText.parse(until);
                return first.plus(after);
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new UserException("--until is a time such as 2026-01-31T12:00:00Z, or a duration after the first"
                        + " submission such as 7d, not " + until);
            }
        }
    }

    private Comparison compare(ContestSetup setup) throws IOException {
        if (quiet) {
            return Contest.run(setup, ContestListener.NONE);
        }
        try (SimulationProgress progress = new SimulationProgress(
                spec.commandLine().getErr(),
                terminal(),
                output.errorStyle(),
                setup.survey().applications(),
                System::nanoTime)) {
            return Contest.run(setup, progress);
        }
    }

    private static @Nullable LiveLines terminal() throws IOException {
        return TerminalStreams.isErrorTerminal() && !"dumb".equals(System.getenv("TERM"))
                ? new LiveLines(new FileOutputStream(FileDescriptor.err))
                : null;
    }

    private void show(Comparison comparison) {
        PrintWriter out = spec.commandLine().getOut();
        try {
            if (report != null) {
                try (BufferedWriter page = Files.newBufferedWriter(report)) {
                    HtmlReport.write(comparison, page);
                }
            }
            if (output.isJson()) {
                ComparisonJson.write(comparison, out);
            } else {
                if (!quiet) {
                    spec.commandLine().getErr().println();
                    spec.commandLine().getErr().flush();
                }
                new ComparisonTables(comparison, out, output.style(), all).print();
                if (report != null) {
                    out.println();
                    out.println("Report: " + report);
                }
            }
        } catch (IOException e) {
            throw new UserException("the result cannot be written: " + e.getMessage());
        }
        out.flush();
    }
}
