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

@Command(
        name = "tasks",
        description = {
            "List the tasks of an application",
            "",
            "Lists allocated tasks, then waiting tasks, then ended runs, latest first. A retried task has"
                    + " one row per run. CORES are those that a run used on average, of those it was allocated;"
                    + " MEMORY is its peak. Only runs on the server's own machine have them."
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

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.Applications.class,
            description = "Application id.")
    private String application = "";

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Tasks in this state: waiting, pending, reserved, starting, running, stopping,"
                    + " preempting, succeeded,"
                    + " failed or stopped.")
    private @Nullable String state;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Maximum number of results. Default: 1000.")
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
                out().println(style().faint("… and more (raise --limit)"));
            }
        });
        return ExitCode.OK;
    }
}
