package dev.sluice.cli;

import dev.sluice.cli.answer.RecordPrinter;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ServerOptions;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.runtime.journal.FinishedOrder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "history",
        description = {
            "List or export applications that have ended",
            "",
            "Lists applications that have ended, as long as sluice serve --keep-history keeps them;"
                    + " sluice list shows only those still in memory. --from and --to refer to the end of an"
                    + " application. A retried application is listed once for each time it ended. STOPS counts the runs that were stopped"
                    + " from its submission to that end, by reason, such as 2 priority, 1 timeout.",
            "",
            "With --workload, writes a job file that sluice simulate reads: when applications were submitted and how"
                    + " long their tasks ran, with the current nodes and queues. A task of several runs counts with the"
                    + " last one; tasks that never ran are left out."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice history --user alice --state failed --from 7d",
            "  sluice history --month 2026-11 -o csv",
            "  Last week's work with other queues:",
            "    sluice history --from 7d --workload week.yaml",
            "    sluice simulate --workload week.yaml --config queues-new.yaml",
            "",
            ServerCommand.EXIT_CODES
        })
final class HistoryCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private RecordListOptions list = new RecordListOptions();

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            completionCandidates = Candidates.Queues.class,
            description = "Applications in this queue or below it.")
    private @Nullable String queue;

    @Option(names = "--user", paramLabel = "NAME", description = "Applications of this user.")
    private @Nullable String user;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Applications in this state: Completed, Failed or Rejected.")
    private @Nullable String state;

    @Option(names = "--name", paramLabel = "NAME", description = "Applications with this name.")
    private @Nullable String name;

    /** Names of the orders. */
    static final class Orders implements Iterable<String> {

        private static final List<String> NAMES = Arrays.stream(FinishedOrder.Key.values())
                .map(FinishedOrder.Key::wireName)
                .flatMap(name -> Stream.of(name, "-" + name))
                .toList();

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            completionCandidates = Orders.class,
            description = "ended or submitted (latest first), duration (from the submission to the end, longest first),"
                    + " queue or user; with - before it, such as --sort=-duration, the opposite order. Default: ended.")
    private @Nullable String sort;

    @Option(
            names = "--workload",
            paramLabel = "FILE",
            description = "Job file to write for sluice simulate, instead of a list.")
    private @Nullable Path workload;

    @Override
    public Integer call() {
        OptionValues.requireOneOf(Orders.NAMES, "--sort", sort);
        String without = sort != null ? "--sort" : list.given();
        if (workload != null && without != null) {
            throw new UserException(without + " has no effect with --workload: remove one of them");
        }
        OutputFile.requireWritable("the workload", workload);
        ApiPath path = list.within(ApiPath.of("history", workload == null ? "applications" : "workload")
                .with("partition", server.partition())
                .with("queue", queue)
                .with("user", user)
                .with("state", state)
                .with("name", name)
                .with("sort", sort));
        PrintWriter out = spec.commandLine().getOut();
        if (workload != null) {
            String text = server.client()
                    .send(ServerRequest.get(path).accepting(ServerRequest.YAML))
                    .text();
            try {
                Files.writeString(workload, text);
            } catch (IOException e) {
                throw new UserException("cannot write " + workload + ": " + e.getMessage());
            }
            return ExitCode.OK;
        }
        list.print(server.client(), path, RecordPrinter.APPLICATIONS, out);
        return ExitCode.OK;
    }
}
