package dev.sluice.cli;

import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.CancelDocument;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Cancels applications. */
@Command(
        name = "cancel",
        description = "Stop what applications run and drop the rest.",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice cancel nightly-etl",
            "  sluice cancel sweep-1 sweep-2 --reason \"wrong input\"",
            "",
            ServerCommand.EXIT_CODES
        })
final class CancelCommand extends ServerCommand {

    @Parameters(paramLabel = "APP", arity = "1..*", description = "The ids of applications.")
    private List<String> applications = List.of();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the history.")
    private @Nullable String reason;

    @Override
    public Integer call() {
        ServerClient client = client();
        String body = ClientJson.MAPPER.writeValueAsString(new CancelDocument(reason));
        ArrayNode answers = ClientJson.list();
        List<ApplicationView> views = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (String application : applications) {
            try {
                JsonNode answer = client.send(ServerRequest.post(
                                server().inPartition("applications", application, "cancel"), ServerRequest.JSON, body))
                        .tree();
                answers.add(answer);
                views.add(ClientJson.value(answer, ApplicationView.class));
            } catch (ClientException e) {
                if (e.problem() == null) {
                    throw e;
                }
                say(String.valueOf(e.getMessage()));
                exitCode = Math.max(exitCode, e.exitCode());
            }
        }
        show(answers, () -> {
            if (!views.isEmpty()) {
                new ApplicationTables(style()).outcomes(views, out());
            }
        });
        return exitCode;
    }
}
