package dev.sluice.server.routes;

import dev.sluice.config.field.StartTimeText;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.reference.FileFormat;
import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.RequestedType;
import dev.sluice.config.snapshot.SubmissionFile;
import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.SubmissionResult;
import dev.sluice.server.api.SubmissionResults;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemDetails;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Routes that submit applications and tasks. */
public final class SubmissionRoutes {

    private final Requests requests;
    private final OverloadGuard memory;
    private final IdempotencyCache idempotencyCache;
    private final Configurations configurations;
    private final InstantSource clock;
    private final ApplicationIds ids;

    /**
     * Creates the routes.
     *
     * @param memory refuses submissions while memory or disk is full
     */
    public SubmissionRoutes(
            Requests requests,
            OverloadGuard memory,
            IdempotencyCache idempotencyCache,
            Configurations configurations,
            InstantSource clock,
            ApplicationIds ids) {
        this.requests = requests;
        this.memory = memory;
        this.idempotencyCache = idempotencyCache;
        this.configurations = configurations;
        this.clock = clock;
        this.ids = ids;
    }

    public List<Route> routes() {
        return List.of(
                Route.post(ApplicationRoutes.APPLICATIONS)
                        .named("submitApplication", ApplicationRoutes.TOPIC)
                        .role(Role.SUBMITTER)
                        .summary("Submits an application. It accepts more tasks later unless it is sealed.")
                        .header(
                                IdempotencyCache.HEADER,
                                "Makes the request safe to retry: repeated requests with the same key are executed"
                                        + " once.")
                        .documentBody(FileFormat.SUBMISSION, "The application; the id is generated if absent.")
                        .response(201, SubmissionResult.class, "The application was accepted.")
                        .response(
                                200,
                                SubmissionResult.class,
                                "The application was rejected: it is recorded, but none of its tasks run.")
                        .problems(
                                ProblemKind.NOT_FOUND,
                                ProblemKind.DUPLICATE,
                                ProblemKind.CONFLICT,
                                ProblemKind.KEY_REUSED,
                                ProblemKind.INVALID,
                                ProblemKind.TOO_MUCH)
                        .handledAsyncBy(this::submit),
                Route.post("/submissions")
                        .named("submitFile", ApplicationRoutes.TOPIC)
                        .role(Role.SUBMITTER)
                        .summary("Submits the applications of a job file in the format of sluice run; each is sealed"
                                + " by default."
                                + " An invalid file submits nothing; otherwise each application is accepted"
                                + " or refused independently.")
                        .header(
                                IdempotencyCache.HEADER,
                                "Makes the request safe to retry: repeated requests with the same key are executed"
                                        + " once.")
                        .query(
                                "file",
                                Parameter.Type.TEXT,
                                "File name, used in messages and as the name of a single application without one.")
                        .query("id", Parameter.Type.TEXT, "Id of the only application, instead of that in the file.")
                        .query(
                                "name",
                                Parameter.Type.TEXT,
                                "Name of the only application, instead of that in the file.")
                        .query(
                                "partition",
                                Parameter.Type.TEXT,
                                "Partition of applications that name none; defaults to default.")
                        .query(
                                "directory",
                                Parameter.Type.TEXT,
                                "Absolute working directory of tasks, to which theirs are relative; defaults to the"
                                        + " scratch folder of the run.")
                        .header(
                                SubmissionOrigins.HEADER,
                                "Environment variables of all tasks, form-encoded as in A=1&B=2; env of a task overrides"
                                        + " them.")
                        .query("strict", Parameter.Type.FLAG, "Refuse the file if it has warnings; defaults to false.")
                        .query("hold", Parameter.Type.FLAG, "Submit all applications held; defaults to false.")
                        .query("notBefore", Parameter.Type.TEXT, "Instant before which nothing of the file starts.")
                        .query(
                                "after",
                                Parameter.Type.TEXT,
                                "Applications that must end before anything of the file starts: ids or names separated by"
                                        + " commas, each with :succeeded (the default), :failed or :ended.")
                        .documentBody(null, "The job file.")
                        .response(200, SubmissionResults.class, "The result of each application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.KEY_REUSED, ProblemKind.INVALID)
                        .handledBy(this::submitFile),
                Route.post(ApplicationRoutes.APPLICATION + "/tasks")
                        .named("addTasks", ApplicationRoutes.TOPIC)
                        .role(Role.SUBMITTER)
                        .summary("Adds tasks to an application that is not sealed.")
                        .header(
                                IdempotencyCache.HEADER,
                                "Makes the request safe to retry: repeated requests with the same key are executed"
                                        + " once.")
                        .documentBody(FileFormat.TASK_LIST, "An object with a list tasks.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(
                                ProblemKind.NOT_FOUND,
                                ProblemKind.CONFLICT,
                                ProblemKind.DUPLICATE,
                                ProblemKind.KEY_REUSED,
                                ProblemKind.INVALID,
                                ProblemKind.TOO_MUCH)
                        .handledBy(this::addTasks));
    }

    private CompletionStage<ApiResponse> submit(Call call) {
        String partition = call.path("partition");
        IdempotencyCache.IdempotencyKey key =
                IdempotencyCache.keyOf(call, "/partitions/" + partition + "/applications");
        ApplicationEntry entry;
        try {
            memory.rejectIfOverloaded();
            entry = read(call);
        } catch (ProblemException refused) {
            if (key == null) {
                throw refused;
            }
            return requests.submit(call, "replay", context -> replayOrThrow(key, context, refused));
        }
        return requests.submit(
                call,
                "SubmitApplication",
                context -> idempotencyCache.executeOnce(key, context, at -> {
                    Lookup.partition(at.state(), partition);
                    SubmissionResult result = submit(at, entry, withActor(entry.spec(), call.actor()));
                    return result.accepted() ? ApiResponse.created(result) : ApiResponse.ok(result);
                }));
    }

    /** Returns the remembered response of this call; throws the current problem if there is none. */
    private ApiResponse replayOrThrow(
            IdempotencyCache.IdempotencyKey key, TransactionContext context, ProblemException refused) {
        ApiResponse known = idempotencyCache.replay(key, context);
        if (known == null) {
            throw refused;
        }
        return known;
    }

    private ApplicationEntry read(Call call) {
        return valueOf(configurations
                .submissions()
                .application("body", call.text(), knownPartition(call.path("partition")), ids.next(), clock.instant()));
    }

    /** Returns the value; throws a {@link ProblemException} with the problems if there is none. */
    private static <T> T valueOf(ParseResult<T> reading) {
        if (!reading.isOk()) {
            throw ProblemException.of(reading);
        }
        return reading.value();
    }

    private String knownPartition(String name) {
        if (configurations.partitions().stream().noneMatch(each -> each.name().equals(name))) {
            throw Lookup.noPartition(name);
        }
        return name;
    }

    private static ApplicationSpec withActor(ApplicationSpec spec, String actor) {
        return spec.user().equals(ApplicationSpec.NOBODY) && !actor.isEmpty() ? spec.withUser(actor) : spec;
    }

    /** Submits an application; throws a {@link ProblemException} if the scheduler refuses. */
    private static SubmissionResult submit(TransactionContext context, ApplicationEntry entry, ApplicationSpec spec) {
        CommandResult reply = ProblemException.requireAccepted(
                context.handle(new Command.SubmitApplication(entry.partition(), spec, entry.numbered())));
        String id = reply.events().stream()
                .filter(ApplicationEvent.Submitted.class::isInstance)
                .map(event -> ((ApplicationEvent.Submitted) event).application())
                .findFirst()
                .orElse(spec.id());
        Application application =
                Lookup.partition(context.state(), entry.partition()).existing(id);
        boolean accepted = reply.isAccepted();
        return new SubmissionResult(
                entry.partition(),
                id,
                accepted,
                application.state().wireName(),
                application.hasQueue() ? application.queue().path() : null,
                accepted ? null : application.stateReason(),
                null);
    }

    private @Nullable Instant notBefore(Call call) {
        String text = call.query("notBefore");
        try {
            return text == null ? null : StartTimeText.parse(text, clock.instant(), ZoneOffset.UTC);
        } catch (IllegalArgumentException e) {
            throw ProblemException.of(ProblemKind.INVALID, "notBefore: " + e.getMessage());
        }
    }

    private ApiResponse submitFile(Call call) {
        String file = call.query("file");
        String asked = call.query("partition");
        boolean strict = "true".equals(call.query("strict"));
        boolean hold = "true".equals(call.query("hold"));
        Instant notBefore = notBefore(call);
        Map<String, ApplicationCondition> after = SubmissionParameters.after(call);
        String id = call.query("id");
        String name = call.query("name");
        String path = "/submissions?" + (file == null ? "" : file) + (asked == null ? "" : "&partition=" + asked)
                + (strict ? "&strict=true" : "") + (hold ? "&hold=true" : "")
                + (notBefore == null ? "" : "&notBefore=" + notBefore) + (after.isEmpty() ? "" : "&after=" + after)
                + (id == null ? "" : "&id=" + id) + (name == null ? "" : "&name=" + name)
                + SubmissionOrigins.text(call);
        IdempotencyCache.IdempotencyKey key = IdempotencyCache.keyOf(call, path);
        ParseResult<SubmissionFile> reading;
        List<ApplicationEntry> entries;
        try {
            memory.rejectIfOverloaded();
            reading = configurations
                    .submissions()
                    .file(
                            file == null ? "jobs" : file,
                            call.text(),
                            asked == null ? PartitionConfiguration.DEFAULT_NAME : knownPartition(asked),
                            clock.instant(),
                            SubmissionOrigins.of(call));
            entries = SubmissionParameters.named(valueOf(reading).applications(), id, name);
        } catch (ProblemException refused) {
            return replayOrRefuse(call, key, refused);
        }
        SubmissionFile submitted = reading.value();
        List<ProblemDetails.Location> warnings = ProblemLocations.ofWarnings(reading);
        return requests.perform(
                call,
                "SubmitApplication",
                context -> idempotencyCache.executeOnce(key, context, at -> {
                    List<ProblemDetails.Location> all = new ArrayList<>(warnings);
                    all.addAll(missingTypes(at.state(), submitted.requestedTypes()));
                    if (strict && !all.isEmpty()) {
                        throw ProblemException.at(
                                ProblemKind.INVALID,
                                "nothing submitted because of warnings (strict): "
                                        + all.get(0).message(),
                                all);
                    }
                    return ApiResponse.ok(
                            submitAll(at, entries, call.actor(), new StartConditions(hold, notBefore, after), all));
                }));
    }

    /** Returns the resource types that tasks request and no node has, in partitions that have nodes. */
    private static List<ProblemDetails.Location> missingTypes(
            SchedulerState state, List<RequestedType> requestedTypes) {
        List<ProblemDetails.Location> missing = new ArrayList<>();
        for (RequestedType each : requestedTypes) {
            Partition partition = state.partition(each.partition());
            if (partition == null || partition.nodes().isEmpty()) {
                continue;
            }
            Resources registered = partition.types().resources(partition::registered);
            if (!registered.names(each.type())) {
                missing.add(new ProblemDetails.Location(
                        each.line(),
                        each.column(),
                        each.path(),
                        each.message(registered.amounts().keySet())));
            }
        }
        return missing;
    }

    private ApiResponse replayOrRefuse(
            Call call, IdempotencyCache.@Nullable IdempotencyKey key, ProblemException refused) {
        if (key == null) {
            throw refused;
        }
        return requests.perform(call, "replay", context -> replayOrThrow(key, context, refused));
    }

    private static SubmissionResults submitAll(
            TransactionContext context,
            List<ApplicationEntry> entries,
            String actor,
            StartConditions start,
            List<ProblemDetails.Location> warnings) {
        List<SubmissionResult> results = new ArrayList<>();
        int accepted = 0;
        for (ApplicationEntry entry : entries) {
            try {
                ApplicationSpec spec = withActor(entry.spec(), actor);
                SubmissionResult result =
                        submit(context, entry, spec.withStart(SubmissionParameters.combined(spec.start(), start)));
                results.add(result);
                accepted += result.accepted() ? 1 : 0;
            } catch (ProblemException e) {
                results.add(new SubmissionResult(entry.partition(), entry.id(), false, null, null, null, e.problem()));
            }
        }
        return new SubmissionResults(
                accepted, results.size() - accepted, results, warnings.isEmpty() ? null : warnings);
    }

    private ApiResponse addTasks(Call call) {
        IdempotencyCache.IdempotencyKey key = IdempotencyCache.keyOf(
                call, "/partitions/" + call.path("partition") + "/applications/" + call.path("application") + "/tasks");
        List<TaskSpec> tasks;
        try {
            memory.rejectIfOverloaded();
            tasks = valueOf(configurations
                    .submissions()
                    .tasks(
                            "body",
                            call.text(),
                            knownPartition(call.path("partition")),
                            call.path("application"),
                            clock.instant()));
        } catch (ProblemException refused) {
            return replayOrRefuse(call, key, refused);
        }
        return requests.perform(
                call,
                "AddTasks",
                context -> idempotencyCache.executeOnce(
                        key,
                        context,
                        at -> ApiResponse.ok(ApplicationRoutes.changed(
                                at, call, (partition, id) -> new Command.AddTasks(partition, id, tasks)))));
    }
}
