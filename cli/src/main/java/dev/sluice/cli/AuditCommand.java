package dev.sluice.cli;

import dev.sluice.cli.answer.RecordPrinter;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ServerOptions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "audit",
        description = {
            "List who changed what, and who was refused",
            "",
            "Lists requests that changed something and requests that were refused, newest first: when, who, from where,"
                    + " what, and the result. Callers whom the server cannot verify are not recorded. Entries are kept"
                    + " as long as the history (sluice serve --keep-history). Requires the role admin."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice audit --user alice --from 1d",
            "  sluice audit --month 2026-11 -o csv",
            "",
            ServerCommand.EXIT_CODES
        })
final class AuditCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private RecordListOptions list = new RecordListOptions();

    @Option(names = "--user", paramLabel = "NAME", description = "Requests of this user.")
    private @Nullable String user;

    @Override
    public Integer call() {
        ApiPath path = list.within(ApiPath.of("audit").with("user", user));
        list.print(
                server.client(),
                path,
                RecordPrinter.REQUESTS,
                spec.commandLine().getOut());
        return ExitCode.OK;
    }
}
