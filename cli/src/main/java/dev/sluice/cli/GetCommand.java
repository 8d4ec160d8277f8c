package dev.sluice.cli;

import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.server.api.ApplicationView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        description = "Show one application in detail",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice get nightly-etl",
            "  sluice get nightly-etl -o json | jq -r .state",
            "",
            ServerCommand.EXIT_CODES
        })
final class GetCommand extends ServerCommand {

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.Applications.class,
            description = "Application id.")
    private String application = "";

    @Override
    public Integer call() {
        ServerAnswer answer = client().get(server().inPartition("applications", application));
        show(answer.tree(), () -> new ApplicationTables(style()).one(answer.as(ApplicationView.class), out()));
        return ExitCode.OK;
    }
}
