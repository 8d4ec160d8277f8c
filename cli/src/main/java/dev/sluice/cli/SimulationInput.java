package dev.sluice.cli;

import dev.sluice.cli.run.CommandJob;
import dev.sluice.cli.simulate.NodeSweep;
import dev.sluice.cli.simulate.NodesOption;
import dev.sluice.cli.source.FileKind;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.simulator.simulation.ExperimentSetup;
import dev.sluice.simulator.simulation.ExperimentSetup.ExperimentCluster;
import dev.sluice.simulator.workload.MalformedLines;
import dev.sluice.simulator.workload.Workload;
import dev.sluice.simulator.workload.WorkloadFile;
import dev.sluice.simulator.workload.WorkloadStatistics;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Reads what {@code sluice simulate} simulates; prints errors with the lines that they refer to. */
final class SimulationInput {

    /** Number of malformed lines to show. */
    private static final int MALFORMED_SHOWN = 3;

    /** Maximum number of compared runs, all of whose figures are in memory. */
    private static final int RUNS_MAX = 256;

    private final String file;
    private final @Nullable String mapping;
    private final CommandSpec spec;
    private final OutputOptions output;

    /**
     * @param file the file of the workload
     * @param mapping the column mapping of tables, or null
     */
    SimulationInput(String file, @Nullable String mapping, CommandSpec spec, OutputOptions output) {
        this.file = file;
        this.mapping = mapping;
        this.spec = spec;
        this.output = output;
    }

    /** Reads the workload; a column mapping may be for the nodes instead. */
    Workload workload(List<String> nodes) {
        boolean forNodes = nodes.stream().anyMatch(NodesOption::isTable);
        boolean forWorkload = WorkloadFile.mayBeTable(path(file)) || !forNodes;
        Path columns = mapping == null || !forWorkload ? null : path(mapping);
        ParseResult<? extends Workload> reading = WorkloadFile.read(path(file), columns);
        if (!reading.isOk() && columns == null && !file.equals("-")) {
            FileKind kind = FileKind.of(SourceFile.named(file, System.in)).valueOrNull();
            if (kind == FileKind.QUEUE_CONFIGURATION) {
                throw new UserException(file + " is a queue configuration, not a workload: give it with --config");
            }
        }
        return read(reading, file);
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new UserException("invalid file name: " + TextWidth.printable(name));
        }
    }

    /** Reads the clusters of every {@code --nodes}; those of the workload if there are none. */
    List<NodeSweep> nodes(List<String> nodes, Workload work) {
        List<NodeSweep> sweeps = new ArrayList<>();
        for (String text : nodes) {
            String source = NodesOption.file(text);
            sweeps.add(read(
                    NodesOption.read(text, mapping == null ? null : path(mapping), work.nodes()),
                    source == null ? text : source));
        }
        if (sweeps.isEmpty()) {
            if (work.nodes().isEmpty()) {
                throw new UserException(file + " has no nodes: add --nodes, such as --nodes 64 for 64"
                        + " cores or --nodes 16:vcore=32,memory=128Gi");
            }
            sweeps.add(NodeSweep.single(new ExperimentCluster("", work.nodes())));
        }
        return sweeps;
    }

    /** Returns all clusters to compare; a single one needs no name. */
    static List<ExperimentCluster> clusters(List<NodeSweep> sweeps, int configurations) {
        long runs = sweeps.stream().mapToLong(NodeSweep::size).sum() * configurations;
        if (runs > RUNS_MAX) {
            throw new UserException(String.format(
                    Locale.ROOT,
                    "--nodes and --config give %,d runs, more than %,d: add a step to the range, such as 8..64/8",
                    runs,
                    RUNS_MAX));
        }
        List<ExperimentCluster> clusters = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (NodeSweep sweep : sweeps) {
            for (int i = 0; i < sweep.size(); i++) {
                ExperimentCluster cluster = sweep.cluster(i);
                clusters.add(cluster);
                if (!names.add(cluster.name())) {
                    throw new UserException("duplicate --nodes: two are named " + cluster.name());
                }
            }
        }
        return clusters.size() == 1
                ? List.of(new ExperimentCluster("", clusters.get(0).nodes()))
                : clusters;
    }

    /** Returns the largest cluster of the range of {@code --enough}. */
    static ExperimentCluster largest(List<NodeSweep> sweeps) {
        if (sweeps.size() != 1 || !sweeps.get(0).isRange()) {
            throw new UserException("--enough requires one --nodes with a range, such as --nodes gpu=4..64 for the"
                    + " nodes named gpu of the workload, or --nodes 4..64:vcore=32,gpu=8");
        }
        return sweeps.get(0).cluster(sweeps.get(0).size() - 1);
    }

    /** Returns the parsed value; prints errors with the lines that they refer to. */
    private <T> T read(ParseResult<? extends T> reading, String name) {
        String wrong =
                reading.problems().isEmpty() ? name : reading.problems().get(0).file();
        SourceFile source = SourceFile.named(wrong.equals(mapping) ? wrong : name, System.in);
        return BadInputException.valueOf(reading, source, spec, output);
    }

    /** Reads the configurations; that of the workload, or a single queue, if there are none. */
    List<ExperimentSetup.ExperimentVariant> configurations(List<String> configs, Workload work) {
        List<ExperimentSetup.ExperimentVariant> variants = new ArrayList<>();
        for (String config : configs) {
            List<PartitionConfiguration> given =
                    Partitions.of(config, spec, output).given();
            if (given != null) {
                variants.add(new ExperimentSetup.ExperimentVariant(name(config, configs), given));
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
    private static String name(String config, List<String> configs) {
        if (configs.indexOf(config) != configs.lastIndexOf(config)) {
            throw new UserException("duplicate --config " + config);
        }
        String name = CommandJob.nameOf(config, false);
        return configs.stream()
                                .filter(other -> CommandJob.nameOf(other, false).equals(name))
                                .count()
                        > 1
                ? config
                : name;
    }

    /** Computes the statistics; warns of malformed lines, and fails if their percentage is above the maximum. */
    WorkloadStatistics statistics(Workload work, double malformedMax) throws IOException {
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
                            file));
            malformed.first().stream().limit(MALFORMED_SHOWN).forEach(problem -> err.println("  " + problem));
            err.flush();
        }
        if (malformed.share() * 100 > malformedMax) {
            throw new UserException(String.format(
                    Locale.ROOT,
                    "%.1f %% of the lines of %s are malformed, more than --malformed-max %s %%",
                    malformed.share() * 100,
                    file,
                    String.valueOf(malformedMax).replaceAll("\\.0$", "")));
        }
        if (statistics.first() == null) {
            throw new UserException(file + ": no submissions");
        }
        return statistics;
    }
}
