package dev.sluice.cli;

import dev.sluice.cli.plan.Plan;
import dev.sluice.cli.plan.PlanJson;
import dev.sluice.cli.plan.PlanTables;
import dev.sluice.cli.source.SourceFile;
import dev.sluice.config.problem.Reading;
import dev.sluice.config.situation.Situation;
import dev.sluice.config.situation.SituationException;
import dev.sluice.config.situation.SituationReader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what the scheduler would do in a situation, and changes nothing. */
@Command(
        name = "plan",
        description = {
            "Show what the scheduler would do in a situation: what starts and where, what stops, what load classes"
                    + " are entitled to, how the queues stand afterwards, and why the rest waits. Nothing is started or changed.",
            "A situation is a cluster at one instant, written down as YAML or JSON: at, partitions, nodes,"
                    + " applications. One cycle of every partition is made at that instant."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  sluice plan situation.yaml",
            "  sluice plan situation.yaml --config queues-new.yaml     the same cluster under other queues",
            "  sluice plan situation.yaml -o json | jq '.waiting[]'",
            "  sluice plan - < situation.yaml",
            "",
            "Exit codes: 0 there is a plan, even if nothing can start; 2 bad input."
        })
final class PlanCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(paramLabel = "FILE", description = "The situation; - is standard input.")
    private String file = "";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A queue configuration whose partitions replace those of the situation.")
    private @Nullable String config;

    @Option(names = "--all", description = "Show long tables in full.")
    private boolean all;

    @Override
    public Integer call() {
        Partitions partitions = Partitions.of(config, spec, output);
        SourceFile source = SourceFile.named(file, System.in);
        Reading<Situation> reading = source.read(
                path -> SituationReader.read(path, partitions.given()),
                (name, text) -> SituationReader.read(name, text, partitions.given()));
        Situation situation = BadInputException.valueOf(reading, source, spec, output);
        Plan plan;
        try {
            plan = Plan.of(situation);
        } catch (SituationException e) {
            throw new UserException(source.name() + ": " + e.getMessage());
        }
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            PlanJson.write(plan, out);
        } else {
            new PlanTables(plan, out, output.style(), all).print();
        }
        out.flush();
        return ExitCode.OK;
    }
}
