package dev.sluice.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "release",
        description = "Release held applications",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice release nightly-etl", "", ServerCommand.EXIT_CODES})
final class ReleaseCommand extends ApplicationAction {

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.ActiveApplications.class,
            arity = "1..*",
            description = "Application ids.")
    private List<String> applications = List.of();

    @Override
    public Integer call() {
        return change(applications, "release", "{}");
    }
}
