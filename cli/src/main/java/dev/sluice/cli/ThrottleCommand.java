package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.ThrottleDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows and sets the limit on running tasks of a partition. */
@Command(
        name = "throttle",
        description = {
            "Limit the number of running tasks of a partition",
            "",
            "Running tasks are unaffected. Without a number, shows the limit."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice throttle",
            "  sluice throttle 100",
            "  sluice throttle 0        # no new tasks start",
            "  sluice throttle none     # no limit",
            "",
            ServerCommand.EXIT_CODES
        })
final class ThrottleCommand extends ServerCommand {

    private static final String NONE = "none";

    @Parameters(arity = "0..1", paramLabel = "N", description = "Maximum number of running tasks, or none.")
    private @Nullable String limit;

    @Override
    public Integer call() {
        String wanted = limit;
        ServerAnswer answer = wanted == null
                ? client().get(server().inPartition())
                : client().send(ServerRequest.put(
                        server().inPartition("throttle"),
                        ServerRequest.JSON,
                        ClientJson.MAPPER.writeValueAsString(new ThrottleDocument(number(wanted)))));
        show(answer.tree(), () -> {
            PartitionView partition = answer.as(PartitionView.class);
            out().println("partition " + TextWidth.printable(partition.name()) + ": "
                    + (partition.tasksMax() < 0
                            ? "no limit"
                            : "at most " + partition.tasksMax() + (partition.tasksMax() == 1 ? " task" : " tasks")
                                    + " at once")
                    + "; " + partition.allocatedTasks() + " allocated now");
        });
        return ExitCode.OK;
    }

    private static int number(String text) {
        if (text.equals(NONE)) {
            return -1;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new UserException("the limit must be a number of 0 or more, or none; not " + text);
        }
        throw new UserException("the limit must be a number of 0 or more, or none; not " + text);
    }
}
