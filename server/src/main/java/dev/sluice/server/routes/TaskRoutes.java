package dev.sluice.server.routes;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.host.RemoteLogs;
import dev.sluice.runtime.host.RunObstacles;
import dev.sluice.runtime.host.RunObstacles.Obstacle;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.server.api.LogView;
import dev.sluice.server.api.ReportDocument;
import dev.sluice.server.api.ReportsDocument;
import dev.sluice.server.api.ReportsResult;
import dev.sluice.server.api.TaskPage;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.Views;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Routes of tasks. */
public final class TaskRoutes {

    private static final String APPLICATION = "/partitions/{partition}/applications/{application}";
    private static final String TASKS = APPLICATION + "/tasks";
    private static final String TASK = TASKS + "/{task}";
    private static final String TOPIC = "tasks";
    private static final int PAGE = 100;
    private static final int PAGE_MAX = 1000;
    private static final int LOG_MAX = 1 << 20;
    private static final List<String> STATUSES = List.of("started", "succeeded", "failed", "lost");

    private final Requests requests;
    private final TaskLogs logs;
    private final LogChunks parts;
    private final TaskHistory history;
    private final RemoteLogs remoteLogs;
    private final Function<RunRef, List<Integer>> gpus;
    private final Function<RunRef, MeasuredUse> measured;
    private final RunObstacles obstacles;

    /**
     * Creates the routes; log chunks being read take at most an eighth of the heap.
     *
     * @param gpus returns the GPUs that a run holds; called by the scheduler's thread
     * @param measured returns what a run has used; called by the scheduler's thread
     * @param obstacles why allocated runs cannot start
     * @param remoteLogs logs that are not on this machine
     */
    public TaskRoutes(
            Requests requests,
            TaskLogs logs,
            JsonMapper json,
            TaskHistory history,
            Function<RunRef, List<Integer>> gpus,
            Function<RunRef, MeasuredUse> measured,
            RunObstacles obstacles,
            RemoteLogs remoteLogs) {
        this.remoteLogs = remoteLogs;
        this.requests = requests;
        this.logs = logs;
        this.parts =
                new LogChunks(json, Math.max(4L * LOG_MAX, Runtime.getRuntime().maxMemory() / 8));
        this.history = history;
        this.gpus = gpus;
        this.measured = measured;
        this.obstacles = obstacles;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(TASKS)
                        .named("listTasks", TOPIC)
                        .action("reading tasks")
                        .role(Role.VIEWER)
                        .summary("Lists the tasks of an application: allocated ones, then unallocated ones, then"
                                + " ended runs,"
                                + " last ended first.")
                        .query("state", Parameter.Type.TEXT, "Only tasks in this state, such as running.")
                        .query("after", Parameter.Type.TEXT, "Value of next of the previous page.")
                        .query(
                                "limit",
                                Parameter.Type.NUMBER,
                                "Maximum number of results: 1 to " + PAGE_MAX + "; defaults to " + PAGE + ".")
                        .response(200, TaskPage.class, "The tasks.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::list),
                Route.get(TASK)
                        .named("getTask", TOPIC)
                        .action("reading tasks")
                        .role(Role.VIEWER)
                        .summary("Returns one task; for an ended task its last run.")
                        .response(200, TaskView.class, "The task.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(this::get),
                Route.post(TASK + "/stop")
                        .named("stopTask", TOPIC)
                        .action("stopping a task of an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Cancels a task: stops it if allocated, drops it otherwise; it does not run again.")
                        .emptyResponse("The task is stopping or stopped.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(this::stop),
                Route.get(TASK + "/log")
                        .named("readLog", TOPIC)
                        .action("reading logs of an application")
                        .role(Role.VIEWER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Returns a chunk of the log of a task that runs on this server. Repeat with offset"
                                + " set to end"
                                + " for newer output.")
                        .query(
                                "offset",
                                Parameter.Type.NUMBER,
                                "Start offset in bytes; a negative offset counts from the end.")
                        .query("limit", Parameter.Type.NUMBER, "Maximum number of bytes: 1 to " + LOG_MAX + ".")
                        .response(200, LogView.class, "A chunk of the log.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::log),
                Route.get(APPLICATION + "/why")
                        .named("whyApplication", "reasons")
                        .action("reading wait reasons")
                        .role(Role.VIEWER)
                        .summary("Explains why tasks of an application are waiting.")
                        .response(200, WhyView.class, "The explanation.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(
                                call -> ApiResponse.ok(requests.query(call, new WhyApplicationQuery(call, obstacles)))),
                Route.get(TASK + "/why")
                        .named("whyTask", "reasons")
                        .action("reading wait reasons")
                        .role(Role.VIEWER)
                        .summary("Explains why a task is waiting, or returns its state.")
                        .response(200, WhyView.class, "The explanation.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(call -> ApiResponse.ok(requests.query(call, new WhyTaskQuery(call, obstacles)))),
                Route.post("/partitions/{partition}/reports")
                        .named("reportTasks", TOPIC)
                        .action("reporting the status of tasks")
                        .role(Role.AGENT)
                        .summary("Reports the status of task runs on nodes served by agents. Stale reports are"
                                + " refused and harmless.")
                        .jsonBody(ReportsDocument.class, "The reports.")
                        .response(200, ReportsResult.class, "The number accepted and the problems of the others.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::report));
    }

    private RunDetails details(RunRef run) {
        Obstacle obstacle = obstacles
                .obstacles(run.task().partition(), run.task().application())
                .get(run);
        List<Integer> held = gpus.apply(run);
        String text = obstacle != null ? obstacle.toString() : held.isEmpty() ? null : "GPU " + Gpus.text(held);
        return new RunDetails(text, measured.apply(run));
    }

    private ApiResponse list(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        TaskCursor cursor = TaskCursor.of(call.query("after"));
        String state = call.query("state");
        TaskState wanted = state == null ? null : state(state);
        String partitionName = call.path("partition");
        String applicationId = call.path("application");
        TaskQueryResult listing = requests.query(
                call, new TaskListQuery(partitionName, applicationId, wanted, cursor, limit, this::details));
        Instant submitted = listing.equals(TaskQueryResult.NONE) ? expired(call).submitted() : listing.submitted();
        List<TaskView> views = new ArrayList<>(listing.views());
        TaskCursor next = listing.next();
        if (next == null && (wanted == null || wanted.isEnded())) {
            long before = cursor.ended();
            TaskHistory.EndedTasks part =
                    history.ended(partitionName, applicationId, submitted, wanted, before, limit - views.size());
            views.addAll(part.views());
            next = part.next() == null ? null : TaskCursor.endedBefore(part.next());
        }
        return ApiResponse.ok(new TaskPage(views, next == null ? null : next.text()));
    }

    /** Returns the application of the call, or null if the scheduler does not know it. */
    private static @Nullable Application find(SchedulerState state, Call call) {
        Partition partition = state.partition(call.path("partition"));
        return partition == null ? null : partition.application(call.path("application"));
    }

    /** Returns the application of the call, which has expired from the scheduler's state. */
    private FinishedApplication expired(Call call) {
        FinishedApplication expired = history.latest(call.path("partition"), call.path("application"));
        if (expired == null) {
            throw Lookup.noApplication(call);
        }
        return expired;
    }

    private static TaskState state(String wireName) {
        for (TaskState state : TaskState.values()) {
            if (state.wireName().equalsIgnoreCase(wireName)) {
                return state;
            }
        }
        throw ProblemException.of(
                ProblemKind.INVALID, "unknown task state " + wireName + "; use a state such as running or pending");
    }

    private ApiResponse get(Call call) {
        record FoundTask(@Nullable TaskView view, @Nullable Instant submitted) {}
        FoundTask found = requests.read(call, context -> {
            Application application = find(context.state(), call);
            if (application == null) {
                return new FoundTask(null, null);
            }
            TaskRef ref = Lookup.task(application, call);
            TaskGroup group = Lookup.group(application, ref);
            Task task = group.placed(ref.position());
            TaskView view = task != null
                    ? TaskListQuery.view(task, details(task.run()))
                    : group.isUnallocated(ref.position()) ? Views.unallocatedTask(group, ref.position()) : null;
            return new FoundTask(view, application.submitted());
        });
        TaskView view = found.view();
        if (view == null) {
            Instant submitted = found.submitted() == null ? expired(call).submitted() : found.submitted();
            view = history.lastRun(call.path("partition"), call.path("application"), submitted, call.path("task"));
        }
        return ApiResponse.ok(view);
    }

    private ApiResponse stop(Call call) {
        requests.perform(call, "StopTask", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            Application application = Lookup.application(partition, call);
            return ProblemException.requireAccepted(
                    context.handle(new Command.StopTask(Lookup.task(application, call))));
        });
        return ApiResponse.done();
    }

    private ApiResponse log(Call call) {
        long offset = call.number("offset", 0, Long.MIN_VALUE, Long.MAX_VALUE);
        int limit = (int) call.number("limit", 64 << 10, 1, LOG_MAX);
        record Position(String task, @Nullable TaskRef ref, boolean ended, RemoteLogs.@Nullable Source remote) {}
        Position position = requests.read(call, context -> {
            Partition partition = context.state().partition(call.path("partition"));
            Application application = find(context.state(), call);
            if (partition == null || application == null) {
                return new Position(call.path("task"), null, true, null);
            }
            Permissions.require(call, partition, application);
            TaskRef ref = Lookup.task(application, call);
            TaskGroup group = Lookup.group(application, ref);
            Task allocated = group.placed(ref.position());
            boolean ended = allocated == null && !group.isUnallocated(ref.position());
            RemoteLogs.Source remote =
                    allocated == null || group.spec().container() == null ? null : RemoteLogs.Source.of(allocated);
            return new Position(ref.id(), ref, ended, remote);
        });
        TaskRef ref = position.ref();
        if (ref == null) {
            FinishedApplication expired = expired(call);
            requests.read(call, context -> {
                Partition partition = context.state().partition(expired.partition());
                Permissions.require(call, partition, expired.id(), expired.queue(), expired.user());
                return true;
            });
        }
        if (position.remote() != null) {
            remoteLogs.follow(position.remote());
        }
        boolean ended = position.ended() && (ref == null || !remoteLogs.isCopying(ref));
        String partition = call.path("partition");
        String application = call.path("application");
        String task = position.task();
        ApiResponse part = parts.answer(
                Math.min(limit, logs.file(partition, application, task).toFile().length()),
                () -> logs.read(partition, application, task, offset, limit, ended));
        if (part == null) {
            throw ProblemException.of(
                    ProblemKind.NOT_FOUND,
                    "task " + position.task()
                            + " has no log on this server; it has not run yet, or runs on another machine");
        }
        return part;
    }

    private ApiResponse report(Call call) {
        ReportsDocument document = call.body(ReportsDocument.class);
        document.reports().forEach(TaskRoutes::requireValid);
        return ApiResponse.ok(requests.perform(call, "ReportTasks", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            List<String> refused = new ArrayList<>();
            for (ReportDocument report : document.reports()) {
                Refusal refusal = handle(context, partition, report);
                if (refusal != null) {
                    refused.add(refusal.message());
                }
            }
            return new ReportsResult(document.reports().size() - refused.size(), refused);
        }));
    }

    private static void requireValid(ReportDocument report) {
        if (report.attempt() < 1) {
            throw ProblemException.of(ProblemKind.INVALID, "attempt must be at least 1");
        }
        if (!STATUSES.contains(report.status())) {
            throw ProblemException.of(
                    ProblemKind.INVALID, "status must be started, succeeded, failed or lost, not " + report.status());
        }
    }

    private static @Nullable Refusal handle(TransactionContext context, Partition partition, ReportDocument report) {
        Application application = partition.application(report.application());
        if (application == null) {
            return notFound("application " + report.application() + " not found in partition " + partition.name());
        }
        TaskRef task = application.find(report.task());
        return task == null
                ? notFound("task " + report.task() + " not found in application " + application.id())
                : context.handle(command(new RunRef(task, report.attempt()), report))
                        .refusal();
    }

    private static Refusal notFound(String message) {
        return new Refusal(Refusal.Code.NOT_FOUND, message);
    }

    private static Command.TaskReport command(RunRef run, ReportDocument report) {
        return switch (report.status()) {
            case "started" -> new Command.ReportTaskStarted(run);
            case "succeeded" -> new Command.ReportTaskSucceeded(run);
            case "lost" -> new Command.ReportTaskLost(run);
            default ->
                new Command.ReportTaskFailed(run, report.exitCode(), report.detail() == null ? "" : report.detail());
        };
    }
}
