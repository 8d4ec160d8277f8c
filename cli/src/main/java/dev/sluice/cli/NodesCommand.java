package dev.sluice.cli;

import dev.sluice.cli.answer.NodeTable;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.server.api.NodeView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "nodes",
        description = "List the nodes of a partition",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice nodes", "  sluice nodes --state offline", "", ServerCommand.EXIT_CODES})
final class NodesCommand extends ServerCommand {

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Nodes in this state: ready, suspended, lost, flaky or offline.")
    private @Nullable String state;

    @Override
    public Integer call() {
        ServerAnswer answer = client().get(server().inPartition("nodes").with("state", state));
        show(answer.tree(), () -> {
            List<NodeView> nodes = answer.asList(NodeView.class);
            if (nodes.isEmpty()) {
                out().println("no nodes");
            } else {
                new NodeTable(style()).print(nodes, Integer.MAX_VALUE, out());
            }
        });
        return ExitCode.OK;
    }
}
