package dev.sluice.cli;

import dev.sluice.cli.ReportOptions.ReportFormat;
import dev.sluice.cli.answer.AnswerText;
import dev.sluice.cli.answer.UsageTable;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerOptions;
import dev.sluice.server.api.UsageReport;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

@Command(
        name = "usage",
        description = {
            "Sum what queues, users and applications used",
            "",
            "Sums core-hours, GPU-hours, memory-hours, tasks, failures and waits in an interval. A run counts with its"
                    + " part in the interval, from its allocation to its end; a running one up to now. A preempted run"
                    + " counts until its capacity is given to others.",
            "",
            "RUNS and TASKS ended in the interval; a retried task has several runs. FAILED runs failed, timed out or"
                    + " were lost. Waits are those of the tasks that were first allocated in the interval, from the"
                    + " submission of the application; tasks that depend on others are not counted.",
            "",
            "The history contains the runs of the time that sluice serve --keep-history names."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice usage --by queue,user --month 2026-11",
            "  sluice usage --by user --from 7d",
            "  sluice usage --by application --month 2026-11 --zone Europe/Berlin -o csv",
            "",
            ServerCommand.EXIT_CODES
        })
final class UsageCommand implements Callable<Integer> {

    private static final List<String> DIMENSIONS = List.of("queue", "user", "application", "node");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private ReportOptions output = new ReportOptions();

    @Mixin
    private IntervalOptions interval = new IntervalOptions();

    @Option(
            names = "--by",
            paramLabel = "DIMENSIONS",
            completionCandidates = Dimensions.class,
            description = "What to group by: any of queue, user, application and node, separated by commas. Default:"
                    + " only the total.")
    private @Nullable String by;

    static final class Dimensions implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return DIMENSIONS.iterator();
        }
    }

    @Override
    public Integer call() {
        if (by != null) {
            for (String word : by.split(",", -1)) {
                if (!DIMENSIONS.contains(word)) {
                    throw new UserException("--by must be any of queue, user, application and node, not " + word);
                }
            }
        }
        IntervalOptions.Interval times = interval.interval(Instant.now());
        JsonNode answer = server.client()
                .get(ApiPath.of("history", "usage")
                        .with("partition", server.partition())
                        .with("by", by)
                        .with("from", times.from())
                        .with("to", times.to()))
                .tree();
        PrintWriter out = spec.commandLine().getOut();
        if (output.format() == ReportFormat.JSON) {
            AnswerText.json(answer, out);
        } else {
            UsageTable table = new UsageTable(ClientJson.value(answer, UsageReport.class), output.style());
            if (output.format() == ReportFormat.CSV) {
                table.csv(out);
            } else {
                table.print(out);
            }
        }
        out.flush();
        return ExitCode.OK;
    }
}
