package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.server.api.TaskSelection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "suspend",
        description = {
            "Suspend running tasks: they halt and keep their resources",
            "",
            "All processes of a suspended task halt (SIGSTOP) until it is resumed, cancelled or stopped, also if the"
                    + " server restarts. Nothing else gets its resources, GPUs included, and usage counts them. Its"
                    + " timeout does not advance. Without a task, the application is held, too: nothing of it starts.",
            "",
            "sluice hold only keeps tasks from starting."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice suspend train-7           # the whole application",
            "  sluice suspend train-7 t-3 t-4",
            "  sluice tasks train-7 --state suspended",
            "",
            ServerCommand.EXIT_CODES
        })
final class SuspendCommand extends ApplicationAction {

    @Parameters(
            index = "0",
            paramLabel = "APP",
            completionCandidates = Candidates.ActiveApplications.class,
            description = "Application id.")
    private String application = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "TASK",
            description = "Task ids. Default: all tasks, and those that are not started.")
    private List<String> tasks = List.of();

    @Override
    public Integer call() {
        return change(List.of(application), "suspend", ClientJson.MAPPER.writeValueAsString(new TaskSelection(tasks)));
    }
}
