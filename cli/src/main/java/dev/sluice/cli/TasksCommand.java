package dev.sluice.cli;

import dev.sluice.cli.answer.TaskTable;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.Pages;
import dev.sluice.server.api.TaskPage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** Lists the tasks of an application. */
@Command(
        name = "tasks",
        description = {
            "List the tasks of an application: those that stand on nodes, those that wait, then the runs that have ended, the"
                    + " latest first. A task that ran again is there once for each run."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice tasks nightly-etl",
            "  sluice tasks nightly-etl --state failed",
            "  sluice tasks nightly-etl --limit 1000000 -o json",
            "",
            ServerCommand.EXIT_CODES
        })
final class TasksCommand extends ServerCommand {

    @Parameters(paramLabel = "APP", description = "The id of the application.")
    private String application = "";

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "Only those in this state: waiting, pending, reserved, starting, running, stopping, preempting, succeeded,"
                            + " failed or stopped.")
    private @Nullable String state;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "1000", description = "At most so many. Default: 1000.")
    private long limit = 1000;

    @Override
    public Integer call() {
        OptionValues.requireAtLeast(1, "--limit", limit);
        ObjectNode answer = Pages.all(
                client(),
                server().inPartition("applications", application, "tasks").with("state", state),
                limit);
        show(answer, () -> {
            TaskPage page = ClientJson.value(answer, TaskPage.class);
            if (page.items().isEmpty()) {
                out().println("no tasks");
                return;
            }
            new TaskTable(style()).print(page.items(), Instant.now(), out());
            if (page.next() != null) {
                out().println(style().faint("… and more (--limit)"));
            }
        });
        return ExitCode.OK;
    }
}
