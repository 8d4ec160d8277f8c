package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.runtime.executor.TaskSignal;
import dev.sluice.server.api.SignalDocument;
import dev.sluice.server.api.SignalResult;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "signal",
        description = {
            "Send a signal to running tasks",
            "",
            "All processes of the tasks receive it, once: it is not repeated if a task runs again. Suspended tasks"
                    + " receive it when they are resumed, except KILL. A task that ends because of it has failed. Use"
                    + " sluice suspend instead of STOP, and sluice resume instead of CONT.",
            "",
            "Works for tasks that the server runs itself; those that are pods are refused."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice signal train-7 USR1       # all running tasks",
            "  sluice signal train-7 USR1 t-3",
            "  sluice signal train-7 15",
            "",
            "Exit codes: 0 sent, 1 no task received it or a request was refused, 2 bad input, 3 no server or"
                    + " unavailable."
        })
final class SignalCommand extends ServerCommand {

    @Parameters(
            index = "0",
            paramLabel = "APP",
            completionCandidates = Candidates.ActiveApplications.class,
            description = "Application id.")
    private String application = "";

    @Parameters(index = "1", paramLabel = "SIGNAL", description = "Name, such as USR1, or number on Linux.")
    private String signal = "";

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "TASK",
            description = "Task ids. Default: all running tasks.")
    private List<String> tasks = List.of();

    @Override
    public Integer call() {
        String name;
        try {
            name = TaskSignal.parse(signal).name();
        } catch (IllegalArgumentException e) {
            throw new UserException(String.valueOf(e.getMessage()));
        }
        JsonNode answer = client().send(ServerRequest.post(
                        server().inPartition("applications", application, "signal"),
                        ServerRequest.JSON,
                        ClientJson.MAPPER.writeValueAsString(new SignalDocument(name, tasks))))
                .tree();
        int sent = ClientJson.value(answer, SignalResult.class).tasks();
        show(answer, () -> {
            out().println("sent " + name + " to " + (sent == 1 ? "1 task" : sent + " tasks"));
            out().flush();
        });
        return sent > 0 ? ExitCode.OK : ExitCode.FAILED;
    }
}
