package dev.sluice.cli;

import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextTable;
import dev.sluice.cli.terminal.TextTable.Cell;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.ClassesDocument;
import dev.sluice.server.api.ClassesView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Shows and changes load classes. */
@Command(
        name = "classes",
        description = "Show and change load classes",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        subcommands = {ClassesCommand.GetClasses.class, ClassesCommand.SetClasses.class, RequestorsCommand.class},
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice classes get",
            "  sluice classes set root land=60 diff=25 sandbox=15 --threshold 20",
            "  sluice classes requestors set root.land='^land' root.sandbox=sand",
            "",
            ServerCommand.EXIT_CODES
        })
final class ClassesCommand implements Runnable {

    private static final String CLASSES = "classes";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: get, set or requestors");
    }

    abstract static class ClassesOutput extends ServerCommand {

        final void print(ClassesView view) {
            Integer workers = view.workers();
            out().println(style().strong("Load classes of " + TextWidth.printable(view.queue()))
                    + (workers == null
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    ": %,d %s, %,d idle at the start of the last cycle",
                                    workers,
                                    workers == 1 ? "worker" : "workers",
                                    view.idle() == null ? 0 : view.idle())));
            TextTable table = new TextTable(Integer.MAX_VALUE).text("CLASS").number("LOAD %");
            view.percents()
                    .forEach((name, percent) -> table.row(List.of(new Cell(name, style()::strong), Cell.of(percent))));
            table.print(out(), style(), "  ");
            out().println(
                            view.rebalanceThreshold() == 0
                                    ? "  Rebalancing is off."
                                    : "  Rebalances when the spread exceeds " + view.rebalanceThreshold()
                                            + " percentage points for "
                                            + TextWidth.printable(view.rebalanceMinimumDuration()) + ".");
            view.warnings().forEach(warning -> say(style().warning("warning:") + " " + TextWidth.printable(warning)));
        }
    }

    @Command(
            name = "get",
            description = "Show the load percentages of load classes",
            footerHeading = ServerCommand.EXAMPLES,
            footer = {"  sluice classes get", "  sluice classes get root.ci", "", ServerCommand.EXIT_CODES})
    static final class GetClasses extends ClassesOutput {

        @Parameters(
                arity = "0..1",
                paramLabel = "QUEUE",
                completionCandidates = Candidates.Queues.class,
                description = "Path of the parent queue. Default: all.")
        private @Nullable String queue;

        @Override
        public Integer call() {
            JsonNode answer = client().get(server().inPartition(CLASSES)).tree();
            if (queue != null) {
                answer = one(answer, queue);
            }
            JsonNode shown = answer;
            show(shown, () -> {
                if (shown.isArray()) {
                    if (shown.isEmpty()) {
                        out().println("no queue has share policy load");
                    }
                    shown.forEach(each -> print(ClientJson.value(each, ClassesView.class)));
                } else {
                    print(ClientJson.value(shown, ClassesView.class));
                }
            });
            return ExitCode.OK;
        }

        private static JsonNode one(JsonNode all, String queue) {
            for (JsonNode each : all) {
                if (each.path("queue").asString("").equalsIgnoreCase(queue)) {
                    return each;
                }
            }
            throw ClientException.failed("no queue " + queue + " with share policy load");
        }
    }

    @Command(
            name = "set",
            description = {
                "Change load percentages and rebalancing",
                "",
                "Everything that is not named keeps its value. The change creates a revision of the"
                        + " configuration (see sluice"
                        + " config history)."
            },
            footerHeading = ServerCommand.EXAMPLES,
            footer = {
                "  sluice classes set root land=60 diff=25 sandbox=15",
                "  sluice classes set root --threshold 20 --minimum-duration 4m",
                "  sluice classes set root --threshold 0          # turn rebalancing off",
                "",
                ServerCommand.EXIT_CODES
            })
    static final class SetClasses extends ClassesOutput {

        @Parameters(
                index = "0",
                paramLabel = "QUEUE",
                completionCandidates = Candidates.Queues.class,
                description = "Path of the parent queue; its share policy is load.")
        private String queue = "";

        @Parameters(
                index = "1..*",
                arity = "0..*",
                paramLabel = "CLASS=PERCENT",
                description = "Load percentages of classes, whole numbers.")
        private Map<String, String> percentTexts = new LinkedHashMap<>();

        @Option(
                names = "--threshold",
                paramLabel = "POINTS",
                description = "Spread above which the queue rebalances, in percentage points; 0 turns rebalancing off.")
        private @Nullable Integer threshold;

        @Option(
                names = "--minimum-duration",
                paramLabel = "TIME",
                description = "How long the spread must stay above the threshold.")
        private @Nullable String minimumDuration;

        @Override
        public Integer call() {
            Map<String, Integer> percents = new LinkedHashMap<>();
            percentTexts.forEach((name, text) -> percents.put(name, percent(name, text)));
            if (percents.isEmpty() && threshold == null && minimumDuration == null) {
                throw new UserException("nothing to change: give CLASS=PERCENT, --threshold or --minimum-duration");
            }
            OptionValues.requireAtLeast(0, "--threshold", threshold);
            ServerAnswer answer = client().send(ServerRequest.put(
                    server().inPartition(CLASSES, queue),
                    ServerRequest.JSON,
                    ClientJson.MAPPER.writeValueAsString(
                            new ClassesDocument(percents.isEmpty() ? null : percents, threshold, minimumDuration))));
            show(answer.tree(), () -> print(answer.as(ClassesView.class)));
            return ExitCode.OK;
        }

        private static Integer percent(String name, String text) {
            try {
                return Integer.valueOf(text);
            } catch (NumberFormatException e) {
                throw new UserException(name + "=" + text + ": a load percentage must be a whole number from 0 to 100");
            }
        }
    }
}
