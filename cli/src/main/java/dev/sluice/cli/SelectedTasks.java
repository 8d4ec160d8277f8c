package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.server.api.TaskSelection;
import java.util.List;
import picocli.CommandLine.Parameters;

/** An application, or some of its tasks. */
final class SelectedTasks {

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
            description = "Task ids. Default: the whole application.")
    private List<String> tasks = List.of();

    String application() {
        return application;
    }

    /** Returns the tasks as the body of a request. */
    String body() {
        return ClientJson.MAPPER.writeValueAsString(new TaskSelection(tasks));
    }
}
