package dev.sluice.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "hold",
        description = {
            "Hold applications: running tasks finish, nothing new starts",
            "",
            "A held application starts no task until it is released. sluice submit --hold submits held ones, as does hold:"
                    + " true in a file."
        },
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice hold nightly-etl", "  sluice hold sweep-1 sweep-2", "", ServerCommand.EXIT_CODES})
final class HoldCommand extends ApplicationAction {

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.ActiveApplications.class,
            arity = "1..*",
            description = "Application ids.")
    private List<String> applications = List.of();

    @Override
    public Integer call() {
        return change(applications, "hold", "{}");
    }
}
