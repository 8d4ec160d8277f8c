package dev.sluice.cli;

import dev.sluice.cli.plan.Plan;
import dev.sluice.cli.plan.PlanJson;
import dev.sluice.cli.plan.PlanTables;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotException;
import dev.sluice.config.snapshot.SnapshotReader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what the scheduler would do with a snapshot. */
@Command(
        name = "plan",
        description = {
            "Show what the scheduler would do with a snapshot",
            "",
            "Runs one scheduling cycle of every partition at the snapshot's instant and shows which tasks"
                    + " would start and"
                    + " where, which would be preempted, the entitlements of load classes, the queues after"
                    + " the cycle, and"
                    + " why the other tasks wait. Changes nothing.",
            "",
            "A snapshot is a cluster at one instant, as YAML or JSON: at, partitions, nodes, applications."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice plan snapshot.yaml",
            "  sluice plan snapshot.yaml --config queues-new.yaml   # with other queues",
            "  sluice plan snapshot.yaml -o json | jq '.waiting[]'",
            "  sluice plan - < snapshot.yaml",
            "",
            "Exit codes: 0 success, even if nothing can start, 2 bad input."
        })
final class PlanCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "FILE", description = "Snapshot; - is standard input.")
    private String file = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Queue configuration whose partitions replace those of the snapshot.")
    private @Nullable String config;

    @Option(names = "--all", description = "Long tables in full.")
    private boolean all;

    @Override
    public Integer call() {
        Partitions partitions = Partitions.of(config, spec, output);
        SourceFile source = SourceFile.named(file, System.in);
        ParseResult<Snapshot> reading = source.read(
                path -> SnapshotReader.read(path, partitions.given()),
                (name, text) -> SnapshotReader.read(name, text, partitions.given()));
        Snapshot snapshot = BadInputException.valueOf(reading, source, spec, output);
        Plan plan;
        try {
            plan = Plan.of(snapshot);
        } catch (SnapshotException e) {
            throw new UserException(source.name() + ": " + e.getMessage());
        }
        print(plan, spec, output, all);
        return ExitCode.OK;
    }

    /**
     * Prints a plan in the chosen format.
     *
     * @param all whether tables have no row limit
     */
    static void print(Plan plan, CommandSpec spec, OutputOptions output, boolean all) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            PlanJson.write(plan, out);
        } else {
            new PlanTables(plan, out, output.style(), all).print();
        }
        out.flush();
    }
}
