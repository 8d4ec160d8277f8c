package dev.sluice.cli;

import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.Pages;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.ApplicationView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

@Command(
        name = "forget",
        description = {
            "Remove ended applications from the list and the history",
            "",
            "Their logs are removed, and their ids can be given again. Events and usage reports still contain them."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice forget nightly-etl",
            "  sluice forget sweep-1 sweep-2",
            "  sluice forget --older 7d --yes",
            "",
            ServerCommand.EXIT_CODES
        })
final class ForgetCommand extends ServerCommand {

    @Parameters(paramLabel = "APP", arity = "0..*", description = "Application ids.")
    private List<String> applications = List.of();

    @Option(
            names = "--older",
            paramLabel = "TIME",
            description = "All listed applications that ended longer ago than this, such as 7d.")
    private @Nullable Duration older;

    @Option(
            names = {"-y", "--yes"},
            description = "No confirmation prompt.")
    private boolean yes;

    @Override
    public Integer call() {
        if (applications.isEmpty() == (older == null)) {
            throw new UserException("expected either application ids or --older");
        }
        ServerClient client = client();
        List<String> ids =
                older == null ? applications : endedBefore(client, Instant.now().minus(older));
        out().flush();
        if (older != null
                && !yes
                && !ids.isEmpty()
                && !Confirmation.atTerminal().isGiven("Forget " + count(ids.size()) + "?", err())) {
            say("nothing was forgotten");
            return ExitCode.FAILED;
        }
        ArrayNode forgotten = ClientJson.list();
        int exitCode = ExitCode.OK;
        for (String id : ids) {
            try {
                client.send(ServerRequest.delete(server().inPartition("applications", id)));
                forgotten.add(id);
            } catch (ClientException e) {
                if (e.problem() == null) {
                    throw e;
                }
                say(TextWidth.printable(String.valueOf(e.getMessage())));
                exitCode = Math.max(exitCode, e.exitCode());
            }
        }
        show(forgotten, () -> out().println("forgot " + count(forgotten.size())));
        return exitCode;
    }

    private static String count(int applications) {
        return applications + (applications == 1 ? " application" : " applications");
    }

    private List<String> endedBefore(ServerClient client, Instant instant) {
        List<String> ids = new ArrayList<>();
        JsonNode ended = Pages.all(client, server().inPartition("applications").with("state", "ended"), Long.MAX_VALUE);
        for (JsonNode item : ended.path("items")) {
            ApplicationView view = ClientJson.value(item, ApplicationView.class);
            if (view.stateSince().isBefore(instant)) {
                ids.add(view.id());
            }
        }
        return ids;
    }
}
