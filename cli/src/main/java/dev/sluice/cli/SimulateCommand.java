package dev.sluice.cli;

import dev.sluice.cli.simulate.ComparisonTables;
import dev.sluice.cli.simulate.ConditionText;
import dev.sluice.cli.simulate.EndTime;
import dev.sluice.cli.simulate.NodeSweep;
import dev.sluice.cli.simulate.SimulationProgress;
import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.TerminalStreams;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.simulator.figures.Comparison;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.figures.SmallestCluster;
import dev.sluice.simulator.report.ComparisonJson;
import dev.sluice.simulator.report.HtmlReport;
import dev.sluice.simulator.simulation.ClusterSearch;
import dev.sluice.simulator.simulation.Condition;
import dev.sluice.simulator.simulation.Experiment;
import dev.sluice.simulator.simulation.ExperimentListener;
import dev.sluice.simulator.simulation.ExperimentSetup;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.simulation.SimulationException;
import dev.sluice.simulator.workload.GangWorkload;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
            "  The smallest number of nodes for a p90 wait of at most an hour:",
            "    sluice simulate --workload jobs.yaml --config a.yaml \\",
            "        --nodes gpu=4..64 --enough 'p90 wait <= 1h'",
            "  JSON output:",
            "    sluice simulate --workload jobs.yaml -o json | jq '.runs[].overall'",
            "",
            "Exit codes: 0 success, even if some tasks never started, 1 no nodes of the range are --enough,"
                    + " 2 bad input."
        })
final class SimulateCommand implements Callable<Integer> {

    private static final int REPETITIONS_MAX = 1_000;

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
                    + " with a list of nodes; repeatable. A range sweeps over a number (8..64, 8..64/8 in steps of 8):"
                    + " 8..64:vcore=32, or gpu=8..64 for the nodes named gpu of the workload, or nodes.yaml:gpu=8..64"
                    + " of a file. Default: the nodes of the workload.")
    private List<String> nodes = new ArrayList<>();

    @Option(
            names = "--enough",
            paramLabel = "CONDITION",
            description = "Find the smallest nodes of a range that meet this condition, such as 'p90 wait <= 1h',"
                    + " by bisection; repeatable.")
    private List<String> enough = new ArrayList<>();

    @Option(
            names = "--repetitions",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of repetitions of each run; all but the first draw a synthetic workload anew."
                    + " Default: 1.")
    private int repetitions = 1;

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

    @Option(
            names = "--gangs",
            description =
                    "Jobs are gangs: one of n processors starts n tasks of one core together, and alike tasks of an"
                            + " application start together.")
    private boolean gangs;

    @Option(
            names = "--no-bounds",
            description = "No bounds; they take as long as three configurations. Several nodes have none.")
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
        checkOptions();
        SimulationInput input = new SimulationInput(workload, mapping, spec, output);
        Workload read = input.workload(nodes);
        Workload work = gangs ? GangWorkload.of(read) : read;
        List<NodeSweep> sweeps = input.nodes(nodes, work);
        List<ExperimentSetup.ExperimentVariant> variants = input.configurations(configs, work);
        List<ExperimentCluster> clusters = enough.isEmpty()
                ? SimulationInput.clusters(sweeps, variants.size())
                : List.of(SimulationInput.largest(sweeps));
        List<Condition> conditions = conditions(clusters);
        try {
            WorkloadStatistics statistics = input.statistics(work, malformedMax);
            Comparison comparison = compare(
                    new ExperimentSetup(
                            work,
                            statistics,
                            clusters,
                            variants,
                            repetitions,
                            !withoutBounds && clusters.size() == 1 && conditions.isEmpty(),
                            timeScale,
                            until(statistics),
                            null,
                            seed,
                            Runtime.getRuntime().availableProcessors()),
                    conditions,
                    sweeps.get(0));
            warnOfEqualRepetitions(comparison);
            show(comparison);
            return conditions.isEmpty() || comparison.enough().stream().anyMatch(SmallestCluster::isFound)
                    ? ExitCode.OK
                    : ExitCode.FAILED;
        } catch (IOException e) {
            throw new UserException(workload + ": " + e.getMessage());
        } catch (SimulationException e) {
            throw new UserException("cannot simulate: " + e.getMessage());
        }
    }

    /** Fails before the simulation runs, not after. */
    private void checkOptions() {
        if (!(timeScale > 0) || timeScale > 1e6) {
            throw new UserException("--time-scale must be greater than 0 and at most 1000000");
        }
        if (!(malformedMax >= 0) || malformedMax > 100) {
            throw new UserException("--malformed-max must be from 0 to 100");
        }
        if (repetitions < 1 || repetitions > REPETITIONS_MAX) {
            throw new UserException("--repetitions must be from 1 to " + REPETITIONS_MAX + ", not " + repetitions);
        }
        if (!enough.isEmpty() && until != null) {
            throw new UserException("--enough simulates the workload to its end: omit --until");
        }
        OutputFile.requireWritable("the report", report);
    }

    private List<Condition> conditions(List<ExperimentCluster> clusters) {
        Set<String> types = new TreeSet<>();
        clusters.get(0)
                .nodes()
                .forEach(node -> types.addAll(node.capacity().amounts().keySet()));
        List<Condition> conditions = new ArrayList<>();
        for (String condition : enough) {
            try {
                conditions.add(ConditionText.parse(condition, types));
            } catch (IllegalArgumentException e) {
                throw new UserException("--enough " + TextWidth.printable(condition) + ": " + e.getMessage());
            }
        }
        return conditions;
    }

    private @Nullable Instant until(WorkloadStatistics statistics) {
        Instant first = statistics.first();
        if (until == null || first == null) {
            return null;
        }
        try {
            return EndTime.parse(until, first);
        } catch (IllegalArgumentException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
    }

    private Comparison compare(ExperimentSetup setup, List<Condition> conditions, NodeSweep sweep) throws IOException {
        if (quiet) {
            return compare(setup, conditions, sweep, ExperimentListener.NONE);
        }
        try (SimulationProgress progress = new SimulationProgress(
                spec.commandLine().getErr(),
                terminal(),
                output.errorStyle(),
                setup.statistics().applications(),
                System::nanoTime)) {
            return compare(setup, conditions, sweep, progress);
        }
    }

    private static Comparison compare(
            ExperimentSetup setup, List<Condition> conditions, NodeSweep sweep, ExperimentListener listener)
            throws IOException {
        return conditions.isEmpty()
                ? Experiment.run(setup, listener)
                : ClusterSearch.run(setup, conditions, sweep.size(), sweep::cluster, listener);
    }

    /** Warns if repetitions had no effect: the workload is recorded, and the configurations draw nothing. */
    private void warnOfEqualRepetitions(Comparison comparison) {
        boolean equal = comparison.runs().stream()
                .filter(run -> run.kind() == RunFigures.RunKind.CONFIGURATION)
                .flatMap(run -> run.spread().stream())
                .noneMatch(spread -> spread.min() < spread.max());
        if (repetitions > 1 && equal) {
            PrintWriter err = spec.commandLine().getErr();
            err.println(output.errorStyle().warning("warning:")
                    + " all repetitions are equal: --repetitions draws synthetic workloads anew, not recorded ones");
            err.flush();
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
