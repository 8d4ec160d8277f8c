package dev.sluice.cli;

import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.server.api.ApplicationView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Changes applications by their ids. */
abstract class ApplicationAction extends ServerCommand {

    /** Posts this action to each application and shows the results. */
    final int change(List<String> applications, String action, String body) {
        return change(
                applications,
                application -> ServerRequest.post(
                        server().inPartition("applications", application, action), ServerRequest.JSON, body),
                answer -> ClientJson.value(answer, ApplicationView.class));
    }

    /** Sends a request about each application and shows the results; a refused one does not stop the others. */
    final int change(
            List<String> applications,
            Function<String, ServerRequest> requestOf,
            Function<JsonNode, ApplicationView> viewOf) {
        ServerClient client = client();
        ArrayNode answers = ClientJson.list();
        List<ApplicationView> views = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (String application : applications) {
            try {
                JsonNode answer = client.send(requestOf.apply(application)).tree();
                answers.add(answer);
                views.add(viewOf.apply(answer));
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
