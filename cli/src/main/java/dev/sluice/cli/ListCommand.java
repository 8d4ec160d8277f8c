package dev.sluice.cli;

import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.Pages;
import dev.sluice.server.api.ApplicationPage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "list",
        description = {
            "List applications",
            "",
            "Lists active applications in submission order, unless options say otherwise."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice list",
            "  sluice list --ended              # ended applications that are still in memory",
            "  sluice list --queue root.research --user alice",
            "  sluice list -a -o json | jq -r '.items[] | select(.tasks.failed > 0) | .id'",
            "",
            ServerCommand.EXIT_CODES
        })
final class ListCommand extends ServerCommand {

    @Option(
            names = "--queue",
            paramLabel = "QUEUE",
            completionCandidates = Candidates.Queues.class,
            description = "Applications in this queue or below it.")
    private @Nullable String queue;

    @Option(names = "--user", paramLabel = "NAME", description = "Applications of this user.")
    private @Nullable String user;

    @Option(names = "--tag", paramLabel = "TAG", description = "Applications with this tag.")
    private @Nullable String tag;

    @Option(names = "--state", paramLabel = "STATE", description = "Applications in this state, such as Running.")
    private @Nullable String state;

    @Option(names = "--ended", description = "Ended applications only.")
    private boolean ended;

    @Option(
            names = {"-a", "--all"},
            description = "Active and ended applications.")
    private boolean all;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of results. Default: no limit.")
    private long limit = Long.MAX_VALUE;

    @Override
    public Integer call() {
        OptionValues.requireAtLeast(1, "--limit", limit);
        if ((ended ? 1 : 0) + (all ? 1 : 0) + (state == null ? 0 : 1) > 1) {
            throw new UserException("--state, --ended and --all are mutually exclusive");
        }
        ApiPath path = server().inPartition("applications")
                .with("queue", queue)
                .with("user", user)
                .with("tag", tag)
                .with("state", all ? null : ended ? "ended" : state == null ? "active" : state);
        ObjectNode answer = Pages.all(client(), path, limit);
        show(answer, () -> {
            ApplicationPage page = ClientJson.value(answer, ApplicationPage.class);
            if (page.items().isEmpty()) {
                out().println("no applications");
                return;
            }
            new ApplicationTables(style()).list(page.items(), Instant.now(), Integer.MAX_VALUE, out());
            if (page.next() != null) {
                out().println(style().faint("… and more (raise --limit)"));
            }
        });
        return ExitCode.OK;
    }
}
