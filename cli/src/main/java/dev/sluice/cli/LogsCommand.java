package dev.sluice.cli;

import dev.sluice.cli.client.ApiPath;
import dev.sluice.cli.client.ApplicationWaiter;
import dev.sluice.cli.client.ClientJson;
import dev.sluice.cli.client.LogReader;
import dev.sluice.cli.client.Pages;
import dev.sluice.cli.client.ServerClient;
import dev.sluice.cli.client.ServerOptions;
import dev.sluice.cli.terminal.TextWidth;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.TaskGroupView;
import dev.sluice.server.api.TaskPage;
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

@Command(
        name = "logs",
        description = {
            "Show the output of tasks",
            "",
            "Works for tasks that the server runs itself or as pods. Without a task, shows the output of all started tasks of the"
                    + " application, each line prefixed with its task id."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        footerHeading = ServerCommand.EXAMPLES,
        footer = {
            "  sluice logs nightly-etl load-3",
            "  sluice logs nightly-etl load-3 --tail 20",
            "  sluice logs -f nightly-etl       # all tasks, until the application ends",
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
    private ServerOptions server = new ServerOptions();

    @Mixin
    private ColorOptions colors = new ColorOptions();

    @Parameters(
            index = "0",
            paramLabel = "APP",
            completionCandidates = Candidates.Applications.class,
            description = "Application id.")
    private String application = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "TASK", description = "Task id.")
    private @Nullable String task;

    @Option(
            names = {"-f", "--follow"},
            description = "Continuous output until the task (or the application) ends.")
    private boolean follow;

    @Option(
            names = {"-n", "--tail"},
            paramLabel = "N",
            description = "Number of last lines per task. Default: all lines.")
    private @Nullable Integer tail;

    private final Map<String, LogReader> readers = new LinkedHashMap<>();
    private int width;

    @Override
    public Integer call() throws InterruptedException {
        OptionValues.requireAtLeast(0, "--tail", tail);
        String one = task;
        return one == null ? all(server.client()) : one(server.client(), one);
    }

    private ApiPath log(String id) {
        return server.inPartition("applications", application, "tasks", id, "log");
    }

    private int one(ServerClient client, String id) throws InterruptedException {
        LogReader reader = new LogReader(
                client, log(id), line -> spec.commandLine().getOut().println(line));
        boolean there = begin(reader);
        if (!there && !follow) {
            throw reader.missing();
        }
        while (follow && !reader.isComplete()) {
            flush();
            if (!there) {
                requireFutureLog(client, id, reader);
            }
            Thread.sleep(PAUSE_MILLIS);
            there = there ? reader.read() : begin(reader);
        }
        reader.finish();
        flush();
        return ExitCode.OK;
    }

    /** Throws if the task does not exist or can no longer produce a log. */
    private void requireFutureLog(ServerClient client, String id, LogReader reader) {
        client.get(server.inPartition("applications", application, "tasks", id));
        if (ApplicationWaiter.isEnded(view(client))) {
            throw reader.missing();
        }
    }

    private boolean begin(LogReader reader) {
        return tail == null ? reader.read() : reader.tail(tail) && reader.read();
    }

    private ApplicationView view(ServerClient client) {
        return client.get(server.inPartition("applications", application)).as(ApplicationView.class);
    }

    private int all(ServerClient client) throws InterruptedException {
        boolean more = readAll(client);
        while (follow && more) {
            flush();
            Thread.sleep(PAUSE_MILLIS);
            more = readAll(client);
        }
        readers.values().forEach(LogReader::finish);
        flush();
        if (readers.isEmpty()) {
            spec.commandLine().getErr().println("sluice: no output from tasks of " + TextWidth.printable(application));
            spec.commandLine().getErr().flush();
        }
        return ExitCode.OK;
    }

    /** Reads the new output of all tasks; returns whether more may follow. */
    private boolean readAll(ServerClient client) {
        ApplicationView view = view(client);
        SortedSet<String> ids = startedTasks(client, view);
        ids.forEach(id -> width = Math.max(width, TextWidth.of(TextWidth.printable(id))));
        for (String id : ids) {
            LogReader reader = readers.get(id);
            if (reader == null) {
                reader = new LogReader(client, log(id), line -> print(id, line));
                if (begin(reader)) {
                    readers.put(id, reader);
                }
            } else {
                reader.read();
            }
        }
        return !ApplicationWaiter.isEnded(view);
    }

    /** Returns the started tasks; if the server no longer has their runs, all tasks that may have started. */
    private SortedSet<String> startedTasks(ServerClient client, ApplicationView view) {
        SortedSet<String> ids = new TreeSet<>(LogsCommand::compare);
        TaskPage page = ClientJson.value(
                Pages.all(client, server.inPartition("applications", application, "tasks"), TASKS_MAX), TaskPage.class);
        page.items().stream().filter(each -> each.attempt() > 0).forEach(each -> ids.add(each.id()));
        long ended = view.tasks().succeeded() + view.tasks().failed();
        List<TaskGroupView> groups = view.groupsOfTasks();
        if (ids.size() < ended && groups != null) {
            for (TaskGroupView group : groups) {
                ids.add(group.name());
                for (int i = 0; i < group.count() && ids.size() < TASKS_MAX; i++) {
                    ids.add(group.name() + "-" + i);
                }
            }
        }
        return ids;
    }

    /** Orders by length first, so that t-2 comes before t-10. */
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
