package dev.sluice.cli;

import dev.sluice.cli.answer.ApplicationTables;
import dev.sluice.cli.client.ApplicationWaiter;
import dev.sluice.server.api.ApplicationView;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "wait",
        description = "Wait until applications have ended",
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice wait nightly-etl && echo done",
            "  sluice wait sweep-1 sweep-2 --for ended --timeout 2h",
            "",
            "Exit codes: 0 all reached the requested state, 1 one ended in another state, was not found or"
                    + " timed out, 2 bad"
                    + " input, 3 no server or unavailable, 130 interrupted."
        })
final class WaitCommand extends ServerCommand {

    @Parameters(
            paramLabel = "APP",
            completionCandidates = Candidates.ActiveApplications.class,
            arity = "1..*",
            description = "Application ids.")
    private List<String> applications = List.of();

    @Option(
            names = "--for",
            paramLabel = "STATE",
            defaultValue = "Completed",
            description = "Requested state: Completed, or ended (completed or failed). Default: Completed.")
    private String wanted = "Completed";

    @Override
    public Integer call() {
        Predicate<ApplicationView> good = switch (wanted) {
            case "Completed", "completed" -> view -> view.state().equals("Completed");
            case "ended" -> ApplicationWaiter::isEnded;
            default -> throw new UserException("--for must be Completed or ended, not " + wanted);
        };
        ApplicationWaiter.WaitResult outcome = new ApplicationWaiter(client(), server().timeout(), view -> {})
                .until(
                        applications.stream()
                                .map(id -> new ApplicationWaiter.Name(server().partition(), id))
                                .toList(),
                        ApplicationWaiter::isEnded);
        show(outcome.responses(), () -> new ApplicationTables(style()).outcomes(outcome.applications(), out()));
        return outcome.applications().stream().allMatch(good) ? ExitCode.OK : ExitCode.FAILED;
    }
}
