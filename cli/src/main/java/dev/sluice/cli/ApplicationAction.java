package dev.sluice.cli;

import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.server.api.ApplicationView;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Changes applications by their ids. */
abstract class ApplicationAction extends ServerCommand {

    /** Sends this request about each application and shows the results; a refused one does not stop the others. */
    final int change(List<String> applications, String action, String body) {
        ServerClient client = client();
        ArrayNode answers = ClientJson.list();
        List<ApplicationView> views = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (String application : applications) {
            try {
                JsonNode answer = client.send(ServerRequest.post(
                                server().inPartition("applications", application, action), ServerRequest.JSON, body))
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
