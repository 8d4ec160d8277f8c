package dev.sluice.cli;

import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.LogReader;
import dev.sluice.cli.client.Pages;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.Waiting;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.TaskPage;
import dev.sluice.server.api.TaskView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what tasks wrote. */
@Command(
        name = "logs",
        description = {
            "Show what tasks wrote, of those that the server itself runs. Without a task: of all tasks of the application that"
                    + " have begun, each line after the id of its task."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice logs nightly-etl load-3",
            "  sluice logs nightly-etl load-3 --tail 20",
            "  sluice logs -f nightly-etl                   all tasks, until the application has ended",
            "",
            ServerCommand.EXIT_CODES
        })
final class LogsCommand implements Callable<Integer> {

    private static final int TASKS_MAX = 1000;
    private static final long PAUSE_MILLIS = 500;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private dev.sluice.cli.client.ServerOptions server = new dev.sluice.cli.client.ServerOptions();

    @Mixin
    private ColorOptions colors = new ColorOptions();

    @Parameters(index = "0", paramLabel = "APP", description = "The id of the application.")
    private String application = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "TASK", description = "The id of a task.")
    private @Nullable String task;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the task has ended; without a task, until the application has.")
    private boolean follow;

    @Option(
            names = {"-n", "--tail"},
            paramLabel = "N",
            description = "Begin with the last so many lines of each task. Default: all.")
    private @Nullable Integer tail;

    private final Map<String, LogReader> readers = new LinkedHashMap<>();
    private int width;

    @Override
    public Integer call() throws InterruptedException {
        if (tail != null && tail < 0) {
            throw new UserException("--tail is 0 or more");
        }
        String one = task;
        return one == null ? all(server.client()) : one(server.client(), one);
    }

    private ApiPath log(String id) {
        return server.inPartition("applications", application, "tasks", id, "log");
    }

    private int one(ServerClient client, String id) throws InterruptedException {
        // asks for the task first: if there is none, that is what is said
        client.get(server.inPartition("applications", application, "tasks", id));
        LogReader reader = new LogReader(client, log(id), line -> spec.commandLine().getOut().println(line));
        boolean there = begin(reader);
        if (!there && !follow) {
            throw dev.sluice.cli.client.ClientException.failed(
                    "task " + id + " has written nothing here: it has not run yet, or runs elsewhere");
        }
        while (follow && !reader.isComplete() && !isOver(client, there)) {
            flush();
            Thread.sleep(PAUSE_MILLIS);
            there = there ? reader.read() : begin(reader);
        }
        reader.finish();
        flush();
        return ExitCode.OK;
    }

    /** Nothing will ever be written by a task that has not begun when its application ends. */
    private boolean isOver(ServerClient client, boolean there) {
        return !there && Waiting.isEnded(view(client));
    }

    private boolean begin(LogReader reader) {
        return tail == null ? reader.read() : reader.tail(tail) && reader.read();
    }

    private ApplicationView view(ServerClient client) {
        return client.get(server.inPartition("applications", application)).as(ApplicationView.class);
    }

    private int all(ServerClient client) throws InterruptedException {
        boolean ended = Waiting.isEnded(view(client));
        boolean more = readAll(client);
        while (follow && (!ended || more)) {
            flush();
            Thread.sleep(PAUSE_MILLIS);
            ended = Waiting.isEnded(view(client));
            more = readAll(client);
            if (ended) {
                break;
            }
        }
        readers.values().forEach(LogReader::finish);
        flush();
        if (readers.isEmpty()) {
            spec.commandLine().getErr().println("sluice: no task of " + application + " has begun here");
            spec.commandLine().getErr().flush();
        }
        return ExitCode.OK;
    }

    /** Reads what all tasks that have begun have written since; whether one of them may write more. */
    private boolean readAll(ServerClient client) {
        SortedSet<String> found = new TreeSet<>(LogsCommand::compare);
        for (TaskView each : tasks(client)) {
            if (each.attempt() > 0) {
                found.add(each.id());
            }
        }
        found.forEach(id -> width = Math.max(width, TextWidth.of(TextWidth.printable(id))));
        for (String id : found) {
            LogReader known = readers.get(id);
            if (known == null) {
                LogReader reader = new LogReader(client, log(id), line -> print(id, line));
                if (begin(reader)) {
                    readers.put(id, reader);
                }
            } else {
                known.read();
            }
        }
        return readers.values().stream().anyMatch(reader -> !reader.isComplete());
    }

    private List<TaskView> tasks(ServerClient client) {
        return ClientJson.value(
                        Pages.all(client, server.inPartition("applications", application, "tasks"), TASKS_MAX),
                        TaskPage.class)
                .items();
    }

    /** Shorter ones first, so that t-2 comes before t-10. */
    private static int compare(String one, String other) {
        int length = Integer.compare(one.length(), other.length());
        return length != 0 ? length : one.compareTo(other);
    }

    private void print(String id, String line) {
        String name = TextWidth.padded(TextWidth.printable(id), width);
        spec.commandLine().getOut().println(colors.style().faint(name + " │ ") + line);
    }

    private void flush() {
        spec.commandLine().getOut().flush();
    }
}
