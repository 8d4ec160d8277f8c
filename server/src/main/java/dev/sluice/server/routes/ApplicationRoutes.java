package dev.sluice.server.routes;

import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.CancelDocument;
import dev.sluice.server.api.CancelMatchingDocument;
import dev.sluice.server.api.CancelMatchingResult;
import dev.sluice.server.api.RetryDocument;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Ownership;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.Views;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes that read and change applications. */
public final class ApplicationRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationRoutes.class);

    /** Default page size. */
    static final int PAGE = 100;

    /** Maximum page size. */
    static final int PAGE_MAX = 1000;

    static final String APPLICATIONS = "/partitions/{partition}/applications";
    static final String APPLICATION = APPLICATIONS + "/{application}";
    static final String TOPIC = "applications";

    private final Requests requests;
    private final FinishedApplications finished;
    private final TaskLogs logs;

    /**
     * Creates the routes.
     *
     * @param finished finished applications that have expired from the scheduler's state
     * @param logs removes the logs of forgotten applications
     */
    public ApplicationRoutes(Requests requests, FinishedApplications finished, TaskLogs logs) {
        this.requests = requests;
        this.finished = finished;
        this.logs = logs;
    }

    public List<Route> routes() {
        return List.of(
                Route.get(APPLICATIONS)
                        .named("listApplications", TOPIC)
                        .action("reading applications")
                        .role(Role.VIEWER)
                        .summary("Lists the applications in the scheduler's state, in submission order.")
                        .query("queue", Parameter.Type.TEXT, "Only applications in this queue or its descendants.")
                        .query("user", Parameter.Type.TEXT, "Only applications of this user.")
                        .query(
                                "state",
                                Parameter.Type.TEXT,
                                "Only applications in this state; active: all unfinished, ended: all finished.")
                        .query("tag", Parameter.Type.TEXT, "Only applications with this tag.")
                        .query(
                                "sort",
                                Parameter.Type.TEXT,
                                "Another order: tried (the order in which the leaf queue given by queue tries those with"
                                        + " pending tasks), or the largest first: newest, changed, running, pending or"
                                        + " failed. Only the first limit are returned, without next.")
                        .query(
                                "after",
                                Parameter.Type.TEXT,
                                "Only applications after the one with this id: next of the previous page.")
                        .query(
                                "limit",
                                Parameter.Type.NUMBER,
                                "Maximum number of results: 1 to " + PAGE_MAX + "; defaults to " + PAGE + ".")
                        .response(200, ApplicationPage.class, "The applications.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::list),
                Route.get(APPLICATION)
                        .named("getApplication", TOPIC)
                        .action("reading applications")
                        .role(Role.VIEWER)
                        .summary("Returns one application with its task groups; one that has expired from the"
                                + " scheduler's state"
                                + " is returned as it was when it ended.")
                        .response(200, ApplicationView.class, "The application.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(this::get),
                Route.delete(APPLICATION)
                        .named("forgetApplication", TOPIC)
                        .action("forgetting an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Forgets an ended application: removes it from the scheduler's state and the history,"
                                + " and its logs, so that its id can be given again. What it used stays in the usage.")
                        .emptyResponse("The application was forgotten.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(this::forget),
                Route.post(APPLICATION + "/cancel")
                        .named("cancelApplication", TOPIC)
                        .action("cancelling an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Cancels an application: stops its running tasks and drops the others.")
                        .jsonBody(CancelDocument.class, "The reason; optional.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(this::cancel),
                Route.post(APPLICATIONS + "/cancel")
                        .named("cancelApplications", TOPIC)
                        .action("cancelling applications")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary(
                                "Cancels the applications that match all given filters, or all unfinished ones, as far as the"
                                        + " caller may cancel them; at"
                                        + " most "
                                        + BulkCancellation.CANCELLED_MAX
                                        + " per request. If the response is a problem, some may have been"
                                        + " cancelled; repeat the request"
                                        + " for the rest.")
                        .jsonBody(CancelMatchingDocument.class, "Filters and the reason.")
                        .response(200, CancelMatchingResult.class, "The number of applications cancelled.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .handledBy(this::cancelMatching),
                Route.post(APPLICATION + "/seal")
                        .named("sealApplication", TOPIC)
                        .action("sealing an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Seals an application: no more tasks can be added.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(call -> ApiResponse.ok(change(
                                requests,
                                call,
                                "SealApplication",
                                (partition, id) -> new Command.SealApplication(partition, id)))),
                Route.post(APPLICATION + "/retry")
                        .named("retryApplication", TOPIC)
                        .action("retrying an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .submits()
                        .summary("Runs the failed and stopped tasks of an ended application again, or all its tasks."
                                + " They get all their retries again. Its queue must exist, or the placement rules"
                                + " create it again.")
                        .jsonBody(RetryDocument.class, "Which tasks; optional.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT, ProblemKind.TOO_MUCH)
                        .handledBy(this::retry),
                Route.post(APPLICATION + "/hold")
                        .named("holdApplication", TOPIC)
                        .action("holding an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Holds an application: running tasks finish, nothing new starts until it is"
                                + " released.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(call -> ApiResponse.ok(change(
                                requests,
                                call,
                                "HoldApplication",
                                (partition, id) -> new Command.HoldApplication(partition, id)))),
                Route.post(APPLICATION + "/release")
                        .named("releaseApplication", TOPIC)
                        .action("releasing an application")
                        .role(Role.SUBMITTER)
                        .ownership(Ownership.ADMINISTERED)
                        .summary("Releases a held application.")
                        .response(200, ApplicationView.class, "The updated application.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .handledBy(call -> ApiResponse.ok(change(
                                requests,
                                call,
                                "ReleaseApplication",
                                (partition, id) -> new Command.ReleaseApplication(partition, id)))));
    }

    private ApiResponse list(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        ApplicationFilter filter =
                ApplicationFilter.of(call.query("queue"), call.query("user"), call.query("state"), call.query("tag"));
        String sort = call.query("sort");
        if (sort != null) {
            if (call.query("after") != null) {
                throw ProblemException.of(ProblemKind.INVALID, "sort and after are mutually exclusive");
            }
            return ApiResponse.ok(requests.query(
                    call,
                    new SortedApplicationsQuery(call.path("partition"), filter, ApplicationSort.named(sort), limit)));
        }
        return ApiResponse.ok(requests.query(
                call, new ApplicationListQuery(call.path("partition"), filter, call.query("after"), limit)));
    }

    private ApiResponse get(Call call) {
        Optional<ApplicationView> known =
                requests.query(call, new ApplicationQuery(call.path("partition"), call.path("application")));
        if (known.isPresent()) {
            return ApiResponse.ok(known.get());
        }
        HistoryRecord.FinishedApplication latest = finished.latest(call.path("partition"), call.path("application"));
        if (latest == null) {
            throw Lookup.noApplication(call);
        }
        return ApiResponse.text("application/json", latest.document());
    }

    private ApiResponse forget(Call call) {
        String partitionName = call.path("partition");
        String id = call.path("application");
        HistoryRecord.FinishedApplication known = finished.latest(partitionName, id);
        Instant forgotten = requests.perform(call, "ForgetApplication", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            if (known != null) {
                Permissions.require(call, partition, id, known.queue(), known.user());
            }
            String user = known == null ? "" : known.user();
            if (known == null || partition.application(id) != null) {
                user = Lookup.application(partition, call).spec().user();
                ProblemException.requireAccepted(context.handle(new Command.ForgetApplication(partition.name(), id)));
            }
            context.addHistoryRecord(new HistoryRecord.ForgottenApplication(partition.name(), id, user, context.now()));
            return context.now();
        });
        // the id may have been given again meanwhile
        if (!requests.read(call, context -> {
            Partition partition = context.state().partition(partitionName);
            return partition != null && partition.application(id) != null;
        })) {
            try {
                logs.remove(partitionName, id, forgotten);
            } catch (IOException e) {
                LOG.warn(
                        "logs of a forgotten application could not be removed: application={} reason={}",
                        id,
                        e.toString());
            }
        }
        return ApiResponse.done();
    }

    private ApiResponse cancel(Call call) {
        String written =
                call.text().isBlank() ? null : call.body(CancelDocument.class).reason();
        String reason = reason(call, written);
        return ApiResponse.ok(change(
                requests,
                call,
                "CancelApplication",
                (partition, id) -> new Command.CancelApplication(partition, id, reason)));
    }

    private ApiResponse retry(Call call) {
        boolean all = !call.text().isBlank()
                && Boolean.TRUE.equals(call.body(RetryDocument.class).all());
        return ApiResponse.ok(change(
                requests,
                call,
                "RetryApplication",
                (partition, id) -> new Command.RetryApplication(partition, id, all)));
    }

    private static String reason(Call call, @Nullable String written) {
        return written != null && !written.isBlank()
                ? written
                : call.actor().isEmpty() ? "cancelled" : "cancelled by " + call.actor();
    }

    private ApiResponse cancelMatching(Call call) {
        CancelMatchingDocument document = call.body(CancelMatchingDocument.class);
        ApplicationFilter filter =
                ApplicationFilter.of(document.queue(), document.user(), document.state(), document.tag());
        boolean all = Boolean.TRUE.equals(document.all());
        if (filter.isEmpty() != all) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    all
                            ? "all cannot be combined with filters; remove one of them"
                            : "missing filter; give queue, user, state or tag, or all: true for all applications");
        }
        return ApiResponse.ok(requests.performIncrementally(
                call,
                "CancelApplication",
                new BulkCancellation(
                        call.path("partition"),
                        filter,
                        reason(call, document.reason()),
                        (partition, application) -> Permissions.permits(call, partition, application))));
    }

    /** Creates the command for an application. */
    interface CommandMaker {
        Command of(String partition, String application);
    }

    /** Executes a command for the application of the path and returns its new view. */
    static ApplicationView change(Requests requests, Call call, String action, CommandMaker maker) {
        return requests.perform(call, action, context -> changed(context, call, maker));
    }

    /** Like {@link #change}, on the scheduler's thread. */
    static ApplicationView changed(TransactionContext context, Call call, CommandMaker maker) {
        Partition partition = Lookup.partition(context.state(), call);
        Application application = Lookup.application(partition, call);
        if (call.route().submits()) {
            Permissions.requireQueue(call, partition, application);
        }
        return changed(context, partition, application, maker);
    }

    /** Executes a command for an application for which the caller's permission has been checked. */
    static ApplicationView changed(
            TransactionContext context, Partition partition, Application application, CommandMaker maker) {
        ProblemException.requireAccepted(context.handle(maker.of(partition.name(), application.id())));
        return Views.application(partition, application, null);
    }
}
