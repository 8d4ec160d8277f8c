package dev.sluice.cli;

import dev.sluice.cli.answer.TopScreen;
import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientException;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.ServerAnswer;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerOptions;
import dev.sluice.cli.client.ServerRequest;
import dev.sluice.cli.terminal.LiveLines;
import dev.sluice.cli.terminal.TerminalStreams;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.EventPage;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows a live overview of a partition. */
@Command(
        name = "top",
        description = {
            "Show a live overview of a partition",
            "",
            "Shows queues, applications, nodes and the latest events until Ctrl-C. Without a terminal, shows them once."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {"  sluice top", "  sluice top --every 5s", "  sluice top --once", "", ServerCommand.EXIT_CODES})
final class TopCommand implements Callable<Integer> {

    private static final String OTHER_SCREEN = "\u001b[?1049h\u001b[H";
    private static final String USUAL_SCREEN = "\u001b[?1049l";
    private static final int LINES_ONCE = 60;
    private static final int APPLICATIONS = 100;
    private static final int EVENTS = 30;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private ColorOptions colors = new ColorOptions();

    @Option(names = "--once", description = "One overview, without updates.")
    private boolean once;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Refresh interval, at least 100ms. Default: 1s.")
    private Duration every = Duration.ofSeconds(1);

    @Override
    public Integer call() throws InterruptedException {
        if (every.toMillis() < 100) {
            throw new UserException("--every must be at least 100ms");
        }
        ServerClient client = server.client();
        TopScreen first = render(client);
        if (once || !TerminalStreams.isOutputTerminal() || "dumb".equals(System.getenv("TERM"))) {
            PrintWriter out = spec.commandLine().getOut();
            first.lines(colors.style(), LINES_ONCE).forEach(out::println);
            out.flush();
            return ExitCode.OK;
        }
        live(client, first);
        return ExitCode.OK;
    }

    private TopScreen render(ServerClient client) {
        HealthView health =
                client.sendAnyStatus(ServerRequest.get(ApiPath.of("health"))).as(HealthView.class);
        ServerAnswer partition = client.get(server.inPartition());
        ServerAnswer queues = client.get(server.inPartition("queues"));
        ServerAnswer applications = client.get(
                server.inPartition("applications").with("state", "active").with("limit", APPLICATIONS));
        ServerAnswer nodes = client.get(server.inPartition("nodes"));
        ServerAnswer events =
                client.get(ApiPath.of("events").with("last", EVENTS).with("limit", EVENTS));
        return new TopScreen(
                server.target().server(),
                Instant.now(),
                health,
                partition.as(PartitionView.class),
                queues.asList(QueueView.class),
                ClientJson.value(applications.tree(), ApplicationPage.class).items(),
                nodes.asList(NodeView.class),
                ClientJson.value(events.tree(), EventPage.class).items());
    }

    /** Refreshes the screen until Ctrl-C, or until the server is unavailable for too long. */
    private void live(ServerClient client, TopScreen first) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(OTHER_SCREEN);
        out.flush();
        try (LiveLines lines = new LiveLines(new FileOutputStream(FileDescriptor.out))) {
            Thread restore = new Thread(() -> restore(lines, out), "restore-screen");
            Runtime.getRuntime().addShutdownHook(restore);
            try {
                TopScreen screen = first;
                while (true) {
                    lines.show(screen.lines(colors.style(), Math.max(10, lines.rows() - 1)));
                    Thread.sleep(every.toMillis());
                    screen = render(client);
                }
            } catch (ClientException e) {
                restore(lines, out);
                throw e;
            }
        } catch (IOException e) {
            throw new UserException("cannot use this terminal: " + e.getMessage() + "; try --once");
        }
    }

    private static void restore(LiveLines lines, PrintWriter out) {
        lines.close();
        out.print(USUAL_SCREEN);
        out.flush();
    }
}
