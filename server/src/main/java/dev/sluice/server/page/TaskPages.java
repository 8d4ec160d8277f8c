package dev.sluice.server.page;

import dev.sluice.server.api.LogView;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One task: its state, why it waits, and its log, which follows while it runs. */
public final class TaskPages {

    private static final String TASK = "/partitions/{partition}/applications/{application}/tasks/{task}";

    /** Bytes of the end of a log that a page shows at first. */
    private static final String TAIL = "-65536";

    private static final List<String> WAITING = List.of("waiting", "pending", "reserved");
    private static final List<String> ENDED = List.of("succeeded", "failed", "stopped");
    private static final String CHUNK_MAX = "65536";

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;

    /**
     * What the page shows.
     *
     * @param why why it waits, or null if it does not
     * @param log the end of its log, or null if it cannot be shown
     * @param noLog why the log cannot be shown; empty if it can
     * @param logAwaited whether there may be a log later
     */
    public record Model(
            String partition,
            String application,
            TaskView task,
            @Nullable WhyView why,
            @Nullable LogModel log,
            String noLog,
            boolean logAwaited) {}

    /**
     * A part of a log.
     *
     * @param more the address of what follows; empty if the log is complete
     * @param whole the address of the log from its beginning; empty if it is shown from there
     */
    public record LogModel(LogView part, String more, String whole) {}

    /**
     * What a search of a log has found.
     *
     * @param address the address of the task
     * @param find the text; empty if none is given
     * @param more where the search continues; empty if all has been searched
     */
    public record SearchModel(
            String partition,
            String application,
            String task,
            String address,
            String find,
            List<FoundLine> matches,
            String more) {}

    /**
     * A line that has been found.
     *
     * @param link the log from this line on
     */
    public record FoundLine(long offset, String text, String link) {}

    TaskPages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
    }

    List<Route> routes() {
        return List.of(
                pages.page(
                        TASK,
                        "pageTask",
                        "getTask",
                        Map.of("offset", "Position in the log, in bytes; defaults to its end."),
                        this::task),
                pages.page(
                        TASK + "/log",
                        "pageLog",
                        "readLog",
                        Map.of("offset", "Position in the log, in bytes."),
                        this::log),
                pages.page(
                        TASK + "/search",
                        "pageSearchLog",
                        "readLog",
                        Map.of("find", "A text.", "from", "Position in the log, in bytes."),
                        this::search),
                pages.page(TASK + "/download", "pageDownloadLog", "readLog", Map.of(), this::download));
    }

    private static Map<String, String> named(Call call) {
        return Map.of(
                "partition", call.path("partition"),
                "application", call.path("application"),
                "task", call.path("task"));
    }

    private ApiResponse task(Call call) {
        String partition = call.path("partition");
        Shell shell = shells.live(call, call.path("task"), Shell.Section.APPLICATIONS, partition, address(call));
        TaskView task = api.get(call, "getTask", TaskView.class, named(call));
        WhyView why = WAITING.contains(task.state()) ? api.get(call, "whyTask", WhyView.class, named(call)) : null;
        LogModel log = null;
        String noLog = "";
        boolean logAwaited = false;
        String offset = call.query("offset");
        try {
            log = read(call, offset == null ? TAIL : offset);
        } catch (ProblemException problem) {
            if (problem.kind() != ProblemKind.NOT_FOUND && problem.kind() != ProblemKind.FORBIDDEN) {
                throw problem;
            }
            noLog = problem.problem().detail();
            logAwaited = problem.kind() == ProblemKind.NOT_FOUND && !ENDED.contains(task.state());
        }
        Model model = new Model(partition, call.path("application"), task, why, log, noLog, logAwaited);
        return PageAnswers.page(200, templates.render("task", shell, model));
    }

    private ApiResponse log(Call call) {
        String offset = call.query("offset");
        LogModel log = read(call, offset == null ? "0" : offset);
        Shell shell = shells.bare("Log", call.caller());
        return PageAnswers.page(200, templates.render("log", shell, log));
    }

    private ApiResponse search(Call call) {
        String text = call.query("find");
        String find = text == null ? "" : text;
        String address = address(call);
        LogReader.Found found = find.isEmpty()
                ? new LogReader.Found(List.of(), -1)
                : new LogReader(api, call, named(call)).find(find, call.number("from", 0, 0, Long.MAX_VALUE));
        Shell shell = shells.still(call, "Search", Shell.Section.APPLICATIONS, call.path("partition"));
        SearchModel model = new SearchModel(
                call.path("partition"),
                call.path("application"),
                call.path("task"),
                address,
                find,
                found.matches().stream()
                        .map(match -> new FoundLine(
                                match.offset(),
                                match.line(),
                                Links.with(address, Map.of("offset", Long.toString(match.offset())))))
                        .toList(),
                found.next() < 0
                        ? ""
                        : Links.with(address + "/search", Map.of("find", find), "from", Long.toString(found.next())));
        return PageAnswers.page(200, templates.render("logsearch", shell, model));
    }

    private ApiResponse download(Call call) {
        return PageAnswers.file(
                new LogReader(api, call, named(call)).file(),
                call.path("application") + "-" + call.path("task") + ".log");
    }

    private static String address(Call call) {
        return Links.task(call.path("partition"), call.path("application"), call.path("task"));
    }

    private LogModel read(Call call, String offset) {
        Map<String, String> asked = new LinkedHashMap<>(named(call));
        asked.put("offset", offset);
        asked.put("limit", CHUNK_MAX);
        LogView part = api.get(call, "readLog", LogView.class, asked);
        String address = address(call);
        return new LogModel(
                part,
                part.complete() ? "" : Links.with(address + "/log", Map.of("offset", Long.toString(part.end()))),
                part.offset() == 0 ? "" : Links.with(address, Map.of("offset", "0")));
    }
}
