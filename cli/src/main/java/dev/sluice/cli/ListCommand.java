package dev.sluice.cli;

import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.Pages;
import dev.sluice.server.api.ApplicationPage;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "list",
        description = {
            "List applications",
            "",
            "Lists active applications in submission order, unless options say otherwise. Ended ones leave the memory of"
                    + " the server after a while; sluice history lists all."
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

    @Mixin
    private final ApplicationFilterOptions filter = new ApplicationFilterOptions();

    @Option(names = "--ended", description = "Ended applications only.")
    private boolean ended;

    @Option(
            names = {"-a", "--all"},
            description = "Active and ended applications.")
    private boolean all;

    /** Names of the orders, for completion. */
    static final class Orders implements Iterable<String> {

        private static final List<String> NAMES = List.of("tried", "newest", "changed", "running", "pending", "failed");

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }

    @Option(
            names = "--sort",
            paramLabel = "ORDER",
            completionCandidates = Orders.class,
            description =
                    "tried (as the leaf queue of --queue tries them), newest, changed, running, pending or failed;"
                            + " the first 1,000. Default: submission order.")
    private @Nullable String sort;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of results. Default: no limit.")
    private long limit = Long.MAX_VALUE;

    @Override
    public Integer call() {
        OptionValues.requireAtLeast(1, "--limit", limit);
        OptionValues.requireOneOf(Orders.NAMES, "--sort", sort);
        if ((ended ? 1 : 0) + (all ? 1 : 0) + (filter.state == null ? 0 : 1) > 1) {
            throw new UserException("--state, --ended and --all are mutually exclusive");
        }
        ApiPath path = server().inPartition("applications")
                .with("queue", filter.queue)
                .with("user", filter.user)
                .with("tag", filter.tag)
                .with("sort", sort)
                .with("state", all ? null : ended ? "ended" : filter.state == null ? "active" : filter.state);
        ObjectNode answer = Pages.all(client(), path, limit);
        show(answer, () -> {
            ApplicationPage page = ClientJson.value(answer, ApplicationPage.class);
            if (page.items().isEmpty()) {
                out().println(
                                all || ended || filter.state != null
                                        ? "no applications"
                                        : "no active applications (sluice list --ended and sluice history show ended ones)");
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
