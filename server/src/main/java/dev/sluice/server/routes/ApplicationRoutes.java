package dev.sluice.server.routes;

import dev.sluice.config.problem.Reading;
import dev.sluice.config.situation.ApplicationEntry;
import dev.sluice.config.situation.SubmittedReader;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.command.Command;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.CancelDocument;
import dev.sluice.server.api.SubmissionDocument;
import dev.sluice.server.api.SubmissionResult;
import dev.sluice.server.api.SubmissionResults;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.route.Answer;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.Problem;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.Views;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What can be done with applications. */
public final class ApplicationRoutes {

    /** How many applications a page has if nobody says otherwise. */
    static final int PAGE = 100;

    /** How many it has at most. */
    static final int PAGE_MAX = 1000;

    private static final String APPLICATIONS = "/partitions/{partition}/applications";
    private static final String APPLICATION = APPLICATIONS + "/{application}";
    private static final String TOPIC = "applications";

    private final Requests requests;
    private final MemoryWatch memory;
    private final Receipts receipts;
    private final Configurations configurations;
    private final InstantSource clock;
    private final ApplicationIds ids;
    private final SharedValues shared = new SharedValues();
    private final FinishedApplications finished;

    /**
     * The routes of applications.
     *
     * @param memory says whether there is room for more work
     * @param finished what has ended, for what the scheduler has forgotten
     */
    public ApplicationRoutes(
            Requests requests,
            MemoryWatch memory,
            Receipts receipts,
            Configurations configurations,
            InstantSource clock,
            ApplicationIds ids,
            FinishedApplications finished) {
        this.requests = requests;
        this.memory = memory;
        this.receipts = receipts;
        this.configurations = configurations;
        this.clock = clock;
        this.ids = ids;
        this.finished = finished;
    }

    /** All of them. */
    public List<Route> routes() {
        return List.of(
                Route.post(APPLICATIONS)
                        .named("submitApplication", TOPIC)
                        .role(Role.SUBMITTER)
                        .summary(
                                "Submits an application. It stays open for more tasks unless it says that it is sealed.")
                        .header(
                                Receipts.HEADER,
                                "Names the request, so that it can be sent again without doing it twice.")
                        .takesDocument(SubmissionDocument.class, "The application; without an id it gets one.")
                        .answers(201, SubmissionResult.class, "It was taken in.")
                        .problems(
                                ProblemKind.NOT_FOUND,
                                ProblemKind.DUPLICATE,
                                ProblemKind.CONFLICT,
                                ProblemKind.KEY_REUSED,
                                ProblemKind.INVALID,
                                ProblemKind.TOO_MUCH)
                        .promptlyBy(this::submit),
                Route.post("/submissions")
                        .named("submitFile", TOPIC)
                        .role(Role.SUBMITTER)
                        .summary(
                                "Submits the applications of a job file, as sluice run takes them; each is sealed unless it"
                                        + " says that it is not. What cannot be read changes nothing; each of the rest is taken in"
                                        + " or refused by itself.")
                        .header(
                                Receipts.HEADER,
                                "Names the request, so that it can be sent again without doing it twice.")
                        .query(
                                "file",
                                Parameter.Type.TEXT,
                                "The name of the file, for messages and to name an application after.")
                        .query(
                                "partition",
                                Parameter.Type.TEXT,
                                "Where applications go that name no partition; default if left out.")
                        .takesDocument(null, "A job file.")
                        .answers(200, SubmissionResults.class, "What became of each of them.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.KEY_REUSED, ProblemKind.INVALID)
                        .by(this::submitFile),
                Route.get(APPLICATIONS)
                        .named("listApplications", TOPIC)
                        .role(Role.VIEWER)
                        .summary("Lists the applications that the scheduler remembers, in the order of submission.")
                        .query("queue", Parameter.Type.TEXT, "Only those in this queue or below it.")
                        .query("user", Parameter.Type.TEXT, "Only those of this user.")
                        .query(
                                "state",
                                Parameter.Type.TEXT,
                                "Only those in this state; active: all that have not ended.")
                        .query("tag", Parameter.Type.TEXT, "Only those with this tag.")
                        .query("after", Parameter.Type.TEXT, "Only those after the one with this id.")
                        .query(
                                "limit",
                                Parameter.Type.NUMBER,
                                "At most so many: 1 to " + PAGE_MAX + ", " + PAGE + " if left out.")
                        .answers(200, ApplicationPage.class, "The applications.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                        .by(this::list),
                Route.get(APPLICATION)
                        .named("getApplication", TOPIC)
                        .role(Role.VIEWER)
                        .summary(
                                "Tells of one application, with its tasks by what was submitted; of one that the scheduler"
                                        + " has forgotten, as it was when it ended.")
                        .answers(200, ApplicationView.class, "The application.")
                        .problems(ProblemKind.NOT_FOUND)
                        .by(this::get),
                Route.post(APPLICATION + "/cancel")
                        .named("cancelApplication", TOPIC)
                        .role(Role.SUBMITTER)
                        .summary("Stops what an application runs and drops the rest.")
                        .takes(CancelDocument.class, "Why; may be left out.")
                        .answers(200, ApplicationView.class, "The application as it is now.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .by(this::cancel),
                Route.post(APPLICATION + "/tasks")
                        .named("addTasks", TOPIC)
                        .role(Role.SUBMITTER)
                        .summary("Adds tasks to an application that is not sealed.")
                        .takesDocument(null, "A map with a list of tasks.")
                        .answers(200, ApplicationView.class, "The application as it is now.")
                        .problems(
                                ProblemKind.NOT_FOUND,
                                ProblemKind.CONFLICT,
                                ProblemKind.DUPLICATE,
                                ProblemKind.INVALID,
                                ProblemKind.TOO_MUCH)
                        .by(this::addTasks),
                Route.post(APPLICATION + "/seal")
                        .named("sealApplication", TOPIC)
                        .role(Role.SUBMITTER)
                        .summary("Says that nothing more will be added to an application.")
                        .answers(200, ApplicationView.class, "The application as it is now.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .by(call -> Answer.ok(change(
                                call,
                                "SealApplication",
                                (partition, id) -> new Command.SealApplication(partition, id)))));
    }

    private CompletionStage<Answer> submit(Call call) {
        memory.requireRoom();
        String partition = call.path("partition");
        Receipts.Key key = Receipts.keyOf(call, "/partitions/" + partition + "/applications");
        ApplicationSpec spec = read(call);
        return requests.ask(
                call,
                "SubmitApplication",
                desk -> receipts.once(key, desk, at -> {
                    Lookup.partition(at.state(), partition);
                    SubmissionResult result = submit(at, partition, spec);
                    return Answer.created(result);
                }));
    }

    private ApplicationSpec read(Call call) {
        String partition = call.path("partition");
        ApplicationSpec quick = call.mediaType().equals("application/json")
                ? new QuickReader(shared, path -> configurations.isLeaf(partition, path)).read(call.text(), ids.next())
                : null;
        if (quick != null) {
            return withActor(quick, call.actor());
        }
        Reading<ApplicationEntry> reading = SubmittedReader.application(
                "body", call.text(), ids.next(), clock.instant(), configurations.partitions());
        if (!reading.isOk()) {
            throw ProblemException.of(reading);
        }
        return withActor(reading.value().spec(), call.actor());
    }

    private static ApplicationSpec withActor(ApplicationSpec spec, String actor) {
        return spec.user().equals(ApplicationSpec.NOBODY) && !actor.isEmpty() ? spec.withUser(actor) : spec;
    }

    /** Submits; throws a {@link ProblemException} if the scheduler refuses. */
    private static SubmissionResult submit(Desk desk, String partitionName, ApplicationSpec spec) {
        ProblemException.requireAccepted(desk.handle(new Command.SubmitApplication(partitionName, spec)));
        Application application = Lookup.partition(desk.state(), partitionName).existing(spec.id());
        boolean rejected = application.state() == ApplicationState.REJECTED;
        return new SubmissionResult(
                partitionName,
                spec.id(),
                true,
                application.state().word(),
                application.hasQueue() ? application.queue().path() : null,
                rejected ? application.stateReason() : null,
                null);
    }

    private Answer submitFile(Call call) {
        memory.requireRoom();
        String file = call.query("file");
        String asked = call.query("partition");
        String partition = asked == null ? PartitionConfiguration.DEFAULT_NAME : asked;
        List<PartitionConfiguration> partitions = configurations.partitions();
        if (asked != null && partitions.stream().noneMatch(each -> each.name().equals(asked))) {
            throw Lookup.noPartition(asked);
        }
        String path = "/submissions?" + (file == null ? "" : file) + (asked == null ? "" : "&partition=" + asked);
        Receipts.Key key = Receipts.keyOf(call, path);
        Reading<List<ApplicationEntry>> reading =
                SubmittedReader.file(file == null ? "jobs" : file, call.text(), clock.instant(), partitions, partition);
        if (!reading.isOk()) {
            throw ProblemException.of(reading);
        }
        List<ApplicationEntry> entries = reading.value();
        List<Problem.Place> warnings = Places.ofWarnings(reading);
        return requests.perform(
                call,
                "SubmitApplication",
                desk -> receipts.once(key, desk, at -> Answer.ok(submitAll(at, entries, call.actor(), warnings))));
    }

    private static SubmissionResults submitAll(
            Desk desk, List<ApplicationEntry> entries, String actor, List<Problem.Place> warnings) {
        List<SubmissionResult> results = new ArrayList<>();
        int accepted = 0;
        for (ApplicationEntry entry : entries) {
            try {
                results.add(submit(desk, entry.partition(), withActor(entry.spec(), actor)));
                accepted++;
            } catch (ProblemException e) {
                results.add(new SubmissionResult(entry.partition(), entry.id(), false, null, null, null, e.problem()));
            }
        }
        return new SubmissionResults(
                accepted, results.size() - accepted, results, warnings.isEmpty() ? null : warnings);
    }

    private Answer list(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        String after = call.query("after");
        Predicate<Application> filter = filter(call);
        return Answer.ok(requests.perform(call, "look", desk -> {
            Partition partition = Lookup.partition(desk.state(), call);
            if (after != null && partition.application(after) == null) {
                throw ProblemException.of(
                        ProblemKind.NOT_FOUND,
                        "application " + after + " is not remembered any more: begin again without after");
            }
            return page(partition, filter, after, limit);
        }));
    }

    private static ApplicationPage page(
            Partition partition, Predicate<Application> filter, @Nullable String after, int limit) {
        List<ApplicationView> views = new ArrayList<>();
        boolean found = after == null;
        for (Application application : partition.applications()) {
            if (!found) {
                found = application.id().equals(after);
            } else if (filter.test(application)) {
                if (views.size() == limit) {
                    return new ApplicationPage(views, views.get(limit - 1).id());
                }
                views.add(Views.application(partition, application, false));
            }
        }
        return new ApplicationPage(views, null);
    }

    private static Predicate<Application> filter(Call call) {
        String queue = call.query("queue");
        String user = call.query("user");
        String state = call.query("state");
        String tag = call.query("tag");
        Predicate<Application> filter = state == null ? application -> true : ofState(state);
        if (queue != null) {
            String path = queue.toLowerCase(Locale.ROOT);
            filter = filter.and(application -> application.hasQueue()
                    && (application.queue().path().equals(path)
                            || application.queue().path().startsWith(path + ".")));
        }
        if (user != null) {
            filter = filter.and(application -> application.spec().user().equals(user));
        }
        return tag == null
                ? filter
                : filter.and(application -> tag.equals(application.spec().tag()));
    }

    private static Predicate<Application> ofState(String word) {
        if (word.equalsIgnoreCase("active")) {
            return application -> !application.state().isEnded();
        }
        if (word.equalsIgnoreCase("ended")) {
            return application -> application.state().isEnded();
        }
        for (ApplicationState state : ApplicationState.values()) {
            if (state.word().equalsIgnoreCase(word)) {
                return application -> application.state() == state;
            }
        }
        throw ProblemException.of(
                ProblemKind.INVALID,
                "there is no state " + word + " of an application: write active, ended or one such as Running");
    }

    private Answer get(Call call) {
        Optional<ApplicationView> known = requests.perform(call, "look", desk -> {
            Partition partition = desk.state().partition(call.path("partition"));
            Application application = partition == null ? null : partition.application(call.path("application"));
            return partition == null || application == null
                    ? Optional.empty()
                    : Optional.of(Views.application(partition, application, true));
        });
        if (known.isPresent()) {
            return Answer.ok(known.get());
        }
        Keepsake.FinishedApplication latest = finished.latest(call.path("partition"), call.path("application"));
        if (latest == null) {
            throw Lookup.noApplication(call);
        }
        return Answer.text("application/json", latest.document());
    }

    private Answer cancel(Call call) {
        String written =
                call.text().isBlank() ? null : call.body(CancelDocument.class).reason();
        String reason = written != null && !written.isBlank()
                ? written
                : call.actor().isEmpty() ? "cancelled" : "cancelled by " + call.actor();
        return Answer.ok(change(
                call, "CancelApplication", (partition, id) -> new Command.CancelApplication(partition, id, reason)));
    }

    private Answer addTasks(Call call) {
        memory.requireRoom();
        Reading<List<TaskSpec>> reading = SubmittedReader.tasks(
                "body", call.text(), call.path("application"), clock.instant(), configurations.partitions());
        if (!reading.isOk()) {
            throw ProblemException.of(reading);
        }
        return Answer.ok(
                change(call, "AddTasks", (partition, id) -> new Command.AddTasks(partition, id, reading.value())));
    }

    /** Makes the command for an application. */
    private interface CommandMaker {
        Command of(String partition, String application);
    }

    private ApplicationView change(Call call, String action, CommandMaker maker) {
        return requests.perform(call, action, desk -> {
            Partition partition = Lookup.partition(desk.state(), call);
            Application application = Lookup.application(partition, call);
            ProblemException.requireAccepted(desk.handle(maker.of(partition.name(), application.id())));
            return Views.application(partition, application, false);
        });
    }
}
