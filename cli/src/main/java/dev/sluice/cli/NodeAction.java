package dev.sluice.cli;

import dev.sluice.cli.answer.NodeTable;
import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.server.api.NodeView;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** Applies an action to nodes. */
abstract class NodeAction extends ServerCommand {

    @Parameters(
            paramLabel = "NODE",
            completionCandidates = Candidates.Nodes.class,
            arity = "1..*",
            description = "Node names.")
    private List<String> nodes = List.of();

    private final String action;

    NodeAction(String action) {
        this.action = action;
    }

    @Override
    public final Integer call() {
        ServerClient client = client();
        ArrayNode answers = ClientJson.list();
        List<NodeView> views = new ArrayList<>();
        int exitCode = ExitCode.OK;
        for (String node : nodes) {
            try {
                JsonNode answer = client.send(ServerRequest.post(
                                server().inPartition("nodes", node, action), ServerRequest.JSON, "{}"))
                        .tree();
                answers.add(answer);
                views.add(ClientJson.value(answer, NodeView.class));
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
                new NodeTable(style()).print(views, Integer.MAX_VALUE, out());
            }
        });
        return exitCode;
    }
}
