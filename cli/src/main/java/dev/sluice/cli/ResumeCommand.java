package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.server.api.TaskSelection;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "resume",
        description = {
            "Resume suspended tasks",
            "",
            "Without a task, all suspended tasks of the application continue, and it is released if it is held."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice resume train-7", "  sluice resume train-7 t-3", "", ServerCommand.EXIT_CODES})
final class ResumeCommand extends ApplicationAction {

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
        return change(List.of(application), "resume", ClientJson.MAPPER.writeValueAsString(new TaskSelection(tasks)));
    }
}
