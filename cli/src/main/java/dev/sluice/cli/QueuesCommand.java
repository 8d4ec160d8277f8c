package dev.sluice.cli;

import dev.sluice.cli.answer.QueueTables;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.server.api.ClassesView;
import dev.sluice.server.api.QueueView;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "queues",
        description = {
            "Show the queue tree: usage, shares and limits",
            "",
            "USED is the largest fraction, over all resources, that a queue uses of its maximum; without a"
                    + " maximum, of its"
                    + " guaranteed resources; without both, of the partition."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice queues",
            "  sluice queues -o json | jq -r '.[] | select(.pendingTasks > 0) | .path'",
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
