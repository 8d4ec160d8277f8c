package dev.sluice.cli;

import dev.sluice.cli.simulate.ComparisonTables;
import dev.sluice.cli.simulate.NodesOption;
import dev.sluice.cli.simulate.SimulationProgress;
import dev.sluice.cli.source.FileKind;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.TerminalStreams;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.config.field.DurationText;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.report.ComparisonJson;
import dev.sluice.simulator.report.HtmlReport;
import dev.sluice.simulator.simulation.Experiment;
import dev.sluice.simulator.simulation.ExperimentListener;
import dev.sluice.simulator.simulation.ExperimentSetup;
import dev.sluice.simulator.simulation.SimulationException;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadFile;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares queue configurations on a workload in virtual time. */
@Command(
        name = "simulate",
        description = {
            "Compare queue configurations on a workload in virtual time",
            "",
            "Runs the real scheduler on every configuration with the same workload and compares waiting"
                    + " times, utilization"
                    + " and shares; only time, tasks and nodes are simulated.",
            "",
            "A workload is a log in the Standard Workload Format (*.swf, *.swf.gz), a table (*.csv,"
                    + " *.csv.gz) with a column"
                    + " mapping, a job file whose tasks have durations, or a synthetic workload (synthetic:). See"
                    + " docs/guides/workloads.md for formats, docs/guides/plan-and-simulate.md for the figures.",
            "",
            "Three bounds are computed for comparison: shortest task first, unlimited nodes, and random order.",
            ""
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  Three configurations on a synthetic workload, with an HTML report:",
            "    sluice simulate --workload examples/simulate/office.yaml \\",
            "        --config examples/simulate/fifo.yaml \\",
            "        --config examples/simulate/fair.yaml \\",
            "        --config examples/simulate/usage.yaml --report office.html",
            "  A log on 1,600 cores; a table on 55 nodes with 8 GPUs each:",
            "    sluice simulate --workload log.swf.gz --nodes 1600 --config a.yaml",
            "    sluice simulate --workload jobs.csv --mapping mapping.yaml \\",
            "        --nodes 55:gpu=8 --config a.yaml",
            "  JSON output:",
            "    sluice simulate --workload jobs.yaml -o json | jq '.runs[].overall'",
            "",
            "Exit codes: 0 success, even if some tasks never started, 2 bad input."
        })
final class SimulateCommand implements Callable<Integer> {

    /** Number of malformed lines to show. */
    private static final int MALFORMED_SHOWN = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    // not required for picocli, which would report the missing option instead of a misspelled one
    @Option(names = "--workload", paramLabel = "FILE", description = "Workload to simulate. Required.")
    private String workload = "";

    @Option(names = "--mapping", paramLabel = "FILE", description = "Column mapping of a table.")
    private @Nullable String mapping;

    @Option(
            names = "--nodes",
            paramLabel = "NODES",
            description = "Nodes: a number of cores (1600), identical nodes (16:vcore=32,memory=128Gi), or a file"
                    + " with a list of"
                    + " nodes. Default: the nodes of the workload.")
    private @Nullable String nodes;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Queue configuration; repeatable. Default: that of the workload, else a single queue.")
    private List<String> configs = new ArrayList<>();

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "End of the simulation: a time, or a duration after the first submission (7d). Default:"
                    + " when all tasks have ended.")
    private @Nullable String until;

    @Option(names = "--report", paramLabel = "FILE", description = "HTML report to write, with plots and all figures.")
    private @Nullable Path report;

    @Option(
            names = "--time-scale",
            paramLabel = "X",
            defaultValue = "1",
            description = "Factor for the times between submissions: 0.5 submits twice as fast. Default: 1.")
    private double timeScale = 1;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "0", description = "Random seed. Default: 0.")
    private long seed;

    @Option(
            names = "--malformed-max",
            paramLabel = "PERCENT",
            defaultValue = "1",
            description = "Maximum share of malformed workload lines, which are skipped. Default: 1 %%.")
    private double malformedMax = 1;

    @Option(names = "--no-bounds", description = "No bounds; they take as long as three configurations.")
    private boolean withoutBounds;

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress, only the result.")
    private boolean quiet;

    @Option(names = "--all", description = "All figures, and long tables in full.")
    private boolean all;

    @Override
    public Integer call() {
        if (workload.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "missing --workload FILE (and --config FILE for each configuration)");
        }
        if (!(timeScale > 0) || timeScale > 1e6) {
            throw new UserException("--time-scale must be greater than 0 and at most 1000000");
        }
        if (!(malformedMax >= 0) || malformedMax > 100) {
            throw new UserException("--malformed-max must be from 0 to 100");
        }
        OutputFile.requireWritable("the report", report); // before the simulation runs, not after
        Workload work = readWorkload();
        List<NodeEntry> cluster = readNodes(work);
        List<ExperimentSetup.ExperimentVariant> variants = readConfigurations(work);
        try {
            WorkloadStatistics statistics = statistics(work);
            Comparison comparison = compare(new ExperimentSetup(
                    work,
                    statistics,
                    cluster,
                    variants,
                    !withoutBounds,
                    timeScale,
                    until(statistics),
                    null,
                    seed,
                    Runtime.getRuntime().availableProcessors()));
            show(comparison);
        } catch (IOException e) {
            throw new UserException(workload + ": " + e.getMessage());
        } catch (SimulationException e) {
            throw new UserException("cannot simulate: " + e.getMessage());
        }
        return ExitCode.OK;
    }

    private Workload readWorkload() {
        boolean forNodes = nodes != null && NodesOption.isTable(nodes);
        boolean forWorkload = WorkloadFile.mayBeTable(path(workload)) || !forNodes;
        Path columns = mapping == null || !forWorkload ? null : path(mapping);
        ParseResult<? extends Workload> reading = WorkloadFile.read(path(workload), columns);
        if (!reading.isOk() && columns == null && !workload.equals("-")) {
            FileKind kind = FileKind.of(SourceFile.named(workload, System.in)).valueOrNull();
            if (kind == FileKind.QUEUE_CONFIGURATION) {
                throw new UserException(workload + " is a queue configuration, not a workload: give it with --config");
            }
        }
        return read(reading, workload);
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UserException("invalid file name: " + TextWidth.printable(name));
        }
    }

    private List<NodeEntry> readNodes(Workload work) {
        if (nodes != null) {
            return read(NodesOption.read(nodes, mapping == null ? null : path(mapping)), nodes);
        }
        if (work.nodes().isEmpty()) {
            throw new UserException(workload + " has no nodes: add --nodes, such as --nodes 64 for 64"
                    + " cores or --nodes 16:vcore=32,memory=128Gi");
        }
        return work.nodes();
    }

    /** Returns the parsed value; prints errors with the lines that they refer to. */
    private <T> T read(ParseResult<? extends T> reading, String file) {
        String wrong =
                reading.problems().isEmpty() ? file : reading.problems().get(0).file();
        SourceFile source = SourceFile.named(wrong.equals(mapping) ? wrong : file, System.in);
        return BadInputException.valueOf(reading, source, spec, output);
    }

    private List<ExperimentSetup.ExperimentVariant> readConfigurations(Workload work) {
        List<ExperimentSetup.ExperimentVariant> variants = new ArrayList<>();
        for (String config : configs) {
            List<PartitionConfiguration> given =
                    Partitions.of(config, spec, output).given();
            if (given != null) {
                variants.add(new ExperimentSetup.ExperimentVariant(name(config), given));
            }
        }
        if (variants.isEmpty()) {
            variants.add(new ExperimentSetup.ExperimentVariant(
                    work.partitions().isEmpty() ? "one-queue" : "as-in-the-workload",
                    work.partitions().isEmpty() ? List.of(PartitionConfiguration.simplest()) : work.partitions()));
        }
        return variants;
    }

    /** Returns the file name without folders and extension, or the path as given if several files share that name. */
    private String name(String config) {
        if (configs.indexOf(config) != configs.lastIndexOf(config)) {
            throw new UserException("duplicate --config " + config);
        }
        String stem = stem(config);
        return configs.stream().filter(other -> stem(other).equals(stem)).count() > 1 ? config : stem;
    }

    private static String stem(String config) {
        String plain = config.substring(config.lastIndexOf('/') + 1);
        int dot = plain.lastIndexOf('.');
        return dot > 0 ? plain.substring(0, dot) : plain;
    }

    private WorkloadStatistics statistics(Workload work) throws IOException {
        WorkloadStatistics statistics = WorkloadStatistics.of(work);
        MalformedLines malformed = statistics.malformed();
        PrintWriter err = spec.commandLine().getErr();
        if (malformed.malformed() > 0) {
            err.println(output.errorStyle().warning("warning:")
                    + String.format(
                            Locale.ROOT,
                            " skipped %,d of %,d lines of %s: malformed",
                            malformed.malformed(),
                            malformed.lines(),
                            workload));
            malformed.first().stream().limit(MALFORMED_SHOWN).forEach(problem -> err.println("  " + problem));
            err.flush();
        }
        if (malformed.share() * 100 > malformedMax) {
            throw new UserException(String.format(
                    Locale.ROOT,
                    "%.1f %% of the lines of %s are malformed, more than --malformed-max %s %%",
                    malformed.share() * 100,
                    workload,
                    String.valueOf(malformedMax).replaceAll("\\.0$", "")));
        }
        if (statistics.first() == null) {
            throw new UserException(workload + ": no submissions");
        }
        return statistics;
    }

    private @Nullable Instant until(WorkloadStatistics statistics) {
        Instant first = statistics.first();
        if (until == null || first == null) {
            return null;
        }
        Instant end;
        try {
            end = Instant.parse(until);
        } catch (DateTimeParseException notAnInstant) {
            try {
                Duration after = DurationText.parse(until);
                end = first.plus(after);
            } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
                throw new UserException(
                        "--until must be a time such as 2026-01-31T12:00:00Z, or a duration after the first"
                                + " submission such as 7d, not " + until);
            }
        }
        if (!end.isAfter(first)) {
            throw new UserException("--until " + until + " must be after the first submission, " + first);
        }
        return end;
    }

    private Comparison compare(ExperimentSetup setup) throws IOException {
        if (quiet) {
            return Experiment.run(setup, ExperimentListener.NONE);
        }
        try (SimulationProgress progress = new SimulationProgress(
                spec.commandLine().getErr(),
                terminal(),
                output.errorStyle(),
                setup.statistics().applications(),
                System::nanoTime)) {
            return Experiment.run(setup, progress);
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
            throw new UserException("cannot write the result: " + e.getMessage());
        }
        out.flush();
    }
}
