package dev.sluice.cli;

import dev.sluice.cli.answer.QueueTables;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.server.api.ClassesView;
import dev.sluice.server.api.QueueView;
import java.util.List;
import picocli.CommandLine.Command;

/** Shows the queues of a partition. */
@Command(
        name = "queues",
        description = {
            "Show the queues as a tree: what each uses and what it is due, as sluice plan shows it.",
            "USED is the largest part that a queue uses of its maximum, else of what it is guaranteed, else of the partition."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice queues",
            "  sluice queues -o json | jq -r '.[] | select(.leaf and .pendingTasks > 0) | .path'",
            "",
            ServerCommand.EXIT_CODES
        })
final class QueuesCommand extends ServerCommand {

    @Override
    public Integer call() {
        ServerClient client = client();
        ServerAnswer answer = client.get(server().inPartition("queues"));
        show(answer.tree(), () -> {
            List<QueueView> queues = answer.asList(QueueView.class);
            boolean classes = queues.stream().anyMatch(queue -> queue.policy().equals("load"));
            new QueueTables(
                            queues,
                            classes
                                    ? client.get(server().inPartition("classes"))
                                            .asList(ClassesView.class)
                                    : List.of(),
                            style())
                    .print(out());
        });
        return ExitCode.OK;
    }
}
