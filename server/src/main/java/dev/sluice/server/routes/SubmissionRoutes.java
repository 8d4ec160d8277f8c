package dev.sluice.server.routes;

import dev.sluice.config.field.StartTimeText;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.reference.FileFormat;
import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.RequestedType;
import dev.sluice.config.snapshot.SubmissionFile;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.StartConditions;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.runtime.host.TaskAdmission;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.machine.Accounts;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.SubmissionResult;
import dev.sluice.server.api.SubmissionResults;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.live.LiveSnapshots;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Ownership;
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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Routes that submit applications and tasks. */
public final class SubmissionRoutes {

    private static final String STRICT = "Refuse the submission if there are warnings; defaults to false.";
    private static final String DRY_RUN =
            "Submit to a copy of the scheduler and answer what its next cycle would do, whatever the idempotency key;"
                    + " defaults to false.";

    private final Requests requests;
    private final OverloadGuard memory;
    private final IdempotencyCache idempotencyCache;
    private final Configurations configurations;
    private final InstantSource clock;
    private final ApplicationIds ids;
    private final LiveSnapshots snapshots;
    private final Accounts accounts;
    private final TaskAdmission admission;
    private final ReusedIds reusedIds;

    /**
     * Creates the routes.
     *
     * @param memory refuses submissions while memory or disk is full
     * @param snapshots take the snapshots for dry runs
     * @param accounts as which users tasks run
     * @param admission which tasks can run
     * @param reusedIds refuses ids of earlier applications of others
     */
    public SubmissionRoutes(
            Requests requests,
            OverloadGuard memory,
            IdempotencyCache idempotencyCache,
            Configurations configurations,
            InstantSource clock,
            ApplicationIds ids,
            LiveSnapshots snapshots,
            Accounts accounts,
            TaskAdmission admission,
            ReusedIds reusedIds) {
        this.requests = requests;
        this.memory = memory;
        this.idempotencyCache = idempotencyCache;
        this.configurations = configurations;
        this.clock = clock;
        this.ids = ids;
        this.snapshots = snapshots;
        this.accounts = accounts;
        this.admission = admission;
        this.reusedIds = reusedIds;
    }

    public List<Route> routes() {
        return List.of(
                Route.post(ApplicationRoutes.APPLICATIONS)
                        .named("submitApplication", ApplicationRoutes.TOPIC)
                        .action("submitting an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.OWN)
                        .submits()
                        .summary("Submits an application. It accepts more tasks later unless it is sealed.")
                        .header(
                                IdempotencyCache.HEADER,
                                "Makes the request safe to retry: repeated requests with the same key are executed"
                                        + " once.")
                        .query("strict", Parameter.Type.FLAG, STRICT)
                        .query("dryRun", Parameter.Type.FLAG, DRY_RUN)
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
                        .action("submitting applications")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.OWN)
                        .submits()
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
                        .header(
                                SubmissionOrigins.SECRETS_HEADER,
                                "Secrets of all tasks, form-encoded as in A=1&B=2: environment variables that are stored"
                                        + " encrypted; secrets of a task override them.")
                        .query("strict", Parameter.Type.FLAG, STRICT)
                        .query("dryRun", Parameter.Type.FLAG, DRY_RUN)
                        .query("hold", Parameter.Type.FLAG, "Submit all applications held; defaults to false.")
                        .query(
                                "notBefore",
                                Parameter.Type.TEXT,
                                "Time before which nothing of the file starts: an instant, such as"
                                        + " 2026-12-01T02:00:00Z; a time without offset, which is in UTC; or the time"
                                        + " from now, such as +2h.")
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
                        .action("adding tasks to an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.OWN)
                        .submits()
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
                keyOf(call, "/partitions/" + partition + "/applications" + strictQuery(call, '?'));
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
        if (!reusedIds.haveLogs(entry)) {
            return submit(call, entry, key);
        }
        // the history is read on another thread
        return CompletableFuture.runAsync(() -> reusedIds.require(call.caller(), entry))
                .thenCompose(permitted -> submit(call, entry, key));
    }

    private CompletionStage<ApiResponse> submit(
            Call call, ApplicationEntry entry, IdempotencyCache.@Nullable IdempotencyKey key) {
        List<RequestedType> requested =
                RequestedType.of(entry.partition(), entry.spec().tasks());
        if (isSet(call, "dryRun")) {
            return CompletableFuture.completedFuture(DryRun.perform(
                    call,
                    requests,
                    snapshots,
                    List.of(entry),
                    copy -> ApiResponse.ok(DryRun.cycle(copy, List.of(submit(call, copy, entry, requested)))
                            .get(0))));
        }
        return requests.submit(
                call,
                "SubmitApplication",
                context -> idempotencyCache.executeOnce(key, context, at -> {
                    SubmissionResult result = submit(call, at, entry, requested);
                    return result.accepted() ? ApiResponse.created(result) : ApiResponse.ok(result);
                }));
    }

    private SubmissionResult submit(
            Call call, TransactionContext context, ApplicationEntry entry, List<RequestedType> requested) {
        Lookup.partition(context.state(), entry.partition());
        return submit(
                context,
                entry,
                call,
                MissingResources.addTo(
                        List.of(), context.state(), requested, isSet(call, "strict"), "nothing submitted"));
    }

    private static boolean isSet(Call call, String flag) {
        return "true".equals(call.query(flag));
    }

    /** Returns the key of a submission, or null: a dry run has no effect, and its response is not that of another. */
    private static IdempotencyCache.@Nullable IdempotencyKey keyOf(Call call, String path) {
        return isSet(call, "dryRun") ? null : IdempotencyCache.keyOf(call, path);
    }

    private static String strictQuery(Call call, char separator) {
        return isSet(call, "strict") ? separator + "strict=true" : "";
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

    /** Submits an application; throws a {@link ProblemException} if the scheduler refuses. */
    private SubmissionResult submit(
            TransactionContext context, ApplicationEntry entry, Call call, List<ProblemDetails.Location> warnings) {
        ApplicationSpec spec =
                Permissions.submittable(call, context.state().partition(entry.partition()), entry.spec());
        String refusal = accounts.refusal(spec.user());
        if (refusal != null) {
            throw ProblemException.of(ProblemKind.FORBIDDEN, refusal);
        }
        requireRunnable(entry.partition(), spec.tasks());
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
                null,
                warnings.isEmpty() ? null : warnings,
                null);
    }

    private void requireRunnable(String partition, List<TaskSpec> tasks) {
        for (TaskSpec task : tasks) {
            String refusal = admission.refusal(partition, task);
            if (refusal != null) {
                throw ProblemException.of(ProblemKind.INVALID, refusal);
            }
        }
    }

    private StartConditions startConditions(Call call) {
        return new StartConditions(isSet(call, "hold"), notBefore(call), SubmissionParameters.after(call));
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
        StartConditions start = startConditions(call);
        String id = call.query("id");
        String name = call.query("name");
        String notBefore = call.query("notBefore"); // as given: +2h is another instant when the request is repeated
        String path = "/submissions?" + (file == null ? "" : file) + (asked == null ? "" : "&partition=" + asked)
                + strictQuery(call, '&') + (start.hold() ? "&hold=true" : "")
                + (notBefore == null ? "" : "&notBefore=" + notBefore)
                + (start.after().isEmpty() ? "" : "&after=" + start.after())
                + (id == null ? "" : "&id=" + id) + (name == null ? "" : "&name=" + name)
                + SubmissionOrigins.text(call);
        IdempotencyCache.IdempotencyKey key = keyOf(call, path);
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
            entries = SubmissionParameters.named(valueOf(reading).applications(), id, name).stream()
                    .map(entry -> entry.withStart(SubmissionParameters.combined(entry.start(), start)))
                    .toList();
        } catch (ProblemException refused) {
            return replayOrRefuse(call, key, refused);
        }
        SubmissionFile submitted = reading.value();
        IdentityHashMap<ApplicationEntry, ProblemException> refused = new IdentityHashMap<>();
        for (ApplicationEntry entry : entries) {
            ProblemException problem = reusedIds.problem(call.caller(), entry);
            if (problem != null) {
                refused.put(entry, problem);
            }
        }
        List<ProblemDetails.Location> warnings = ProblemLocations.ofWarnings(reading);
        if (isSet(call, "dryRun")) {
            return ApiResponse.ok(DryRun.perform(
                    call,
                    requests,
                    snapshots,
                    entries,
                    copy -> submitAll(call, copy, entries, refused, submitted.requestedTypes(), warnings)
                            .map(results -> DryRun.cycle(copy, results))));
        }
        return requests.perform(
                call,
                "SubmitApplication",
                context -> idempotencyCache.executeOnce(
                        key,
                        context,
                        at -> ApiResponse.ok(
                                submitAll(call, at, entries, refused, submitted.requestedTypes(), warnings))));
    }

    private ApiResponse replayOrRefuse(
            Call call, IdempotencyCache.@Nullable IdempotencyKey key, ProblemException refused) {
        if (key == null) {
            throw refused;
        }
        return requests.perform(call, "replay", context -> replayOrThrow(key, context, refused));
    }

    private SubmissionResults submitAll(
            Call call,
            TransactionContext context,
            List<ApplicationEntry> entries,
            IdentityHashMap<ApplicationEntry, ProblemException> refused,
            List<RequestedType> requested,
            List<ProblemDetails.Location> known) {
        List<ProblemDetails.Location> warnings =
                MissingResources.addTo(known, context.state(), requested, isSet(call, "strict"), "nothing submitted");
        List<SubmissionResult> results = new ArrayList<>();
        int accepted = 0;
        for (ApplicationEntry entry : entries) {
            try {
                ProblemException refusal = refused.get(entry);
                if (refusal != null) {
                    throw refusal;
                }
                SubmissionResult result = submit(context, entry, call, List.of());
                results.add(result);
                accepted += result.accepted() ? 1 : 0;
            } catch (ProblemException e) {
                results.add(new SubmissionResult(
                        entry.partition(), entry.id(), false, null, null, null, e.problem(), null, null));
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
            requireRunnable(call.path("partition"), tasks);
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
