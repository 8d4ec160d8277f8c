package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.CancelDocument;
import dev.sluice.server.api.CancelMatchingDocument;
import dev.sluice.server.api.CancelMatchingResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "cancel",
        description = "Cancel applications: stop running tasks, drop the others",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice cancel nightly-etl",
            "  sluice cancel sweep-1 sweep-2 --reason \"wrong input\"",
            "  sluice cancel --queue root.sandbox --user eve",
            "  sluice cancel --all --yes",
            "",
            ServerCommand.EXIT_CODES
        })
final class CancelCommand extends ApplicationAction {

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.ActiveApplications.class,
            arity = "0..*",
            description = "Application ids.")
    private List<String> applications = List.of();

    @Mixin
    private final ApplicationFilterOptions filter = new ApplicationFilterOptions();

    @Option(names = "--all", description = "All applications of the partition.")
    private boolean all;

    @Option(
            names = {"-y", "--yes"},
            description = "No confirmation prompt.")
    private boolean yes;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Reason, recorded in the history.")
    private @Nullable String reason;

    @Override
    public Integer call() {
        if ((applications.isEmpty() ? 0 : 1) + (filter.isEmpty() ? 0 : 1) + (all ? 1 : 0) != 1) {
            throw new UserException("expected application ids, filters (--queue, --user, --tag, --state) or --all");
        }
        return applications.isEmpty()
                ? cancelMatching()
                : change(applications, "cancel", ClientJson.MAPPER.writeValueAsString(new CancelDocument(reason)));
    }

    private int cancelMatching() {
        out().flush();
        if (!yes && !Confirmation.atTerminal().isGiven("Cancel " + described() + "?", err())) {
            say("nothing was cancelled");
            return ExitCode.FAILED;
        }
        ServerClient client = client();
        String body = ClientJson.MAPPER.writeValueAsString(new CancelMatchingDocument(
                filter.queue, filter.user, filter.state, filter.tag, all ? Boolean.TRUE : null, reason));
        ServerRequest request = ServerRequest.post(
                        server().inPartition("applications", "cancel"), ServerRequest.JSON, body)
                .repeatable();
        long cancelled = 0;
        boolean complete = false;
        while (!complete) {
            CancelMatchingResult result = client.send(request).as(CancelMatchingResult.class);
            cancelled += result.cancelled();
            complete = result.complete();
        }
        long count = cancelled;
        show(
                ClientJson.MAPPER.valueToTree(new CancelMatchingResult(count, true)),
                () -> out().println("cancelled " + count + (count == 1 ? " application" : " applications")));
        return ExitCode.OK;
    }

    private String described() {
        String filters = Stream.of(
                        named("queue", filter.queue),
                        named("user", filter.user),
                        named("tag", filter.tag),
                        named("state", filter.state))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(", "));
        return TextWidth.printable("all applications" + (filters.isEmpty() ? "" : " with " + filters));
    }

    private static String named(String name, @Nullable String value) {
        return value == null ? "" : name + " " + value;
    }
}
