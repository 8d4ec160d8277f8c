package dev.sluice.cli;

import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ServerOptions;
import dev.sluice.cli.client.ServerRequest;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints a snapshot of a server's state. */
@Command(
        name = "snapshot",
        description = "Print a snapshot of the cluster, as read by sluice plan",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice snapshot > now.yaml",
            "  sluice snapshot | sluice plan - --config queues-new.yaml    # try other queues",
            "",
            ServerCommand.EXIT_CODES
        })
final class SnapshotCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "yaml",
            completionCandidates = Formats.class,
            description = "Output format: yaml or json. Default: yaml.")
    private String format = "yaml";

    static final class Formats implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("yaml", "json").iterator();
        }
    }

    @Override
    public Integer call() {
        String type = switch (format) {
            case "yaml" -> ServerRequest.YAML;
            case "json" -> ServerRequest.JSON;
            default -> throw new UserException("expected yaml or json, not '" + format + "'");
        };
        String snapshot = server.client()
                .send(ServerRequest.get(ApiPath.of("snapshot")).accepting(type))
                .text();
        PrintWriter out = spec.commandLine().getOut();
        out.print(snapshot);
        if (!snapshot.endsWith("\n")) {
            out.println();
        }
        out.flush();
        return ExitCode.OK;
    }
}
