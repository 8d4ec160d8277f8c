package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.TaintChangeDocument;
import dev.sluice.server.api.TaintDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Adds and removes taints of a node. */
@Command(
        name = "taint",
        description = {
            "Add and remove taints of a node",
            "",
            "Tasks that do not tolerate a taint start on other nodes. The effect is NoSchedule, PreferNoSchedule or"
                    + " NoExecute, which also stops running tasks."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice taint node-7 gpu=yes:NoSchedule",
            "  sluice taint node-7 maintenance:NoExecute",
            "  sluice taint node-7 gpu:NoSchedule-       # remove it",
            "  sluice taint node-7 gpu-                  # with any effect",
            "",
            ServerCommand.EXIT_CODES
        })
final class TaintCommand extends ServerCommand {

    @Parameters(
            index = "0",
            paramLabel = "NODE",
            completionCandidates = Candidates.Nodes.class,
            description = "Node name.")
    private String node = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "TAINT",
            description = "KEY=VALUE:EFFECT or KEY:EFFECT; with - at the end to remove it.")
    private List<String> taints = List.of();

    @Override
    public Integer call() {
        List<TaintDocument> added = new ArrayList<>();
        List<TaintChangeDocument.TaintSelectionDocument> removed = new ArrayList<>();
        for (String text : taints) {
            if (text.endsWith("-")) {
                removed.add(selection(text));
            } else {
                added.add(taint(text));
            }
        }
        ServerAnswer answer = client().send(ServerRequest.post(
                server().inPartition("nodes", node, "taint"),
                ServerRequest.JSON,
                ClientJson.MAPPER.writeValueAsString(new TaintChangeDocument(added, removed))));
        show(answer.tree(), () -> {
            NodeView view = answer.as(NodeView.class);
            String list = view.taints().isEmpty()
                    ? "no taints"
                    : view.taints().stream().map(TaintCommand::text).collect(Collectors.joining(", "));
            out().println("node " + TextWidth.printable(view.name()) + ": " + TextWidth.printable(list));
        });
        return ExitCode.OK;
    }

    private static String text(TaintDocument taint) {
        return taint.key() + (taint.value() == null ? "" : "=" + taint.value()) + ":" + taint.effect();
    }

    private static TaintDocument taint(String text) {
        int colon = text.lastIndexOf(':');
        String label = colon < 0 ? "" : text.substring(0, colon);
        int equals = label.indexOf('=');
        String key = equals < 0 ? label : label.substring(0, equals);
        if (key.isEmpty() || colon == text.length() - 1) {
            throw invalid(text);
        }
        return new TaintDocument(key, equals < 0 ? null : label.substring(equals + 1), text.substring(colon + 1), null);
    }

    private static TaintChangeDocument.TaintSelectionDocument selection(String text) {
        String taint = text.substring(0, text.length() - 1);
        int colon = taint.lastIndexOf(':');
        String label = colon < 0 ? taint : taint.substring(0, colon);
        int equals = label.indexOf('=');
        String key = equals < 0 ? label : label.substring(0, equals);
        if (key.isEmpty() || colon == taint.length() - 1) {
            throw invalid(text);
        }
        return new TaintChangeDocument.TaintSelectionDocument(key, colon < 0 ? null : taint.substring(colon + 1));
    }

    private static UserException invalid(String text) {
        return new UserException(
                "a taint must be KEY=VALUE:EFFECT or KEY:EFFECT, such as gpu=yes:NoSchedule; not " + text);
    }
}
