package dev.sluice.cli;

import dev.sluice.cli.client.ClientJson;
import dev.sluice.server.api.RetryDocument;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "retry",
        description = {
            "Run failed tasks of ended applications again",
            "",
            "Failed, stopped and dropped tasks run again as new attempts, with all their retries; tasks that succeeded"
                    + " are kept. The application keeps its id."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice retry nightly-etl", "  sluice retry --all sweep-1 sweep-2", "", ServerCommand.EXIT_CODES})
final class RetryCommand extends ApplicationAction {

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.Applications.class,
            arity = "1..*",
            description = "Application ids.")
    private List<String> applications = List.of();

    @Option(names = "--all", description = "All tasks, also those that succeeded.")
    private boolean all;

    @Override
    public Integer call() {
        return change(applications, "retry", ClientJson.MAPPER.writeValueAsString(new RetryDocument(all)));
    }
}
