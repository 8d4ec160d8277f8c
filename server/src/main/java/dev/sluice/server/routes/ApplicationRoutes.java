package dev.sluice.server.routes;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Command;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.journal.Keepsake;
import dev.sluice.runtime.loop.Desk;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.CancelDocument;
import dev.sluice.server.route.Answer;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What can be seen of applications, and done with those that are there. */
public final class ApplicationRoutes {

    /** How many applications a page has if nobody says otherwise. */
    static final int PAGE = 100;

    /** How many it has at most. */
    static final int PAGE_MAX = 1000;

    static final String APPLICATIONS = "/partitions/{partition}/applications";
    static final String APPLICATION = APPLICATIONS + "/{application}";
    static final String TOPIC = "applications";

    private final Requests requests;
    private final FinishedApplications finished;

    /**
     * The routes of applications.
     *
     * @param finished what has ended, for what the scheduler has forgotten
     */
    public ApplicationRoutes(Requests requests, FinishedApplications finished) {
        this.requests = requests;
        this.finished = finished;
    }

    /** All of them. */
    public List<Route> routes() {
        return List.of(
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
                Route.post(APPLICATION + "/seal")
                        .named("sealApplication", TOPIC)
                        .role(Role.SUBMITTER)
                        .summary("Says that nothing more will be added to an application.")
                        .answers(200, ApplicationView.class, "The application as it is now.")
                        .problems(ProblemKind.NOT_FOUND, ProblemKind.CONFLICT)
                        .by(call -> Answer.ok(change(
                                requests,
                                call,
                                "SealApplication",
                                (partition, id) -> new Command.SealApplication(partition, id)))));
    }

    private Answer list(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        String after = call.query("after");
        String queue = call.query("queue");
        Predicate<Application> filter = filter(call);
        return Answer.ok(requests.perform(call, "look", desk -> {
            Partition partition = Lookup.partition(desk.state(), call);
            if (after != null && partition.application(after) == null) {
                throw ProblemException.of(
                        ProblemKind.NOT_FOUND,
                        "application " + after + " is not remembered any more: begin again without after");
            }
            ApplicationPage page = page(partition, filter, after, limit);
            if (queue != null && page.items().isEmpty()) {
                Lookup.queue(partition, queue.toLowerCase(Locale.ROOT));
            }
            return page;
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
                requests,
                call,
                "CancelApplication",
                (partition, id) -> new Command.CancelApplication(partition, id, reason)));
    }

    /** Makes the command for an application. */
    interface CommandMaker {
        Command of(String partition, String application);
    }

    /** Gives a command for the application that the path names, and tells what it is then. */
    static ApplicationView change(Requests requests, Call call, String action, CommandMaker maker) {
        return requests.perform(call, action, desk -> changed(desk, call, maker));
    }

    /** The same on the thread of the scheduler. */
    static ApplicationView changed(Desk desk, Call call, CommandMaker maker) {
        Partition partition = Lookup.partition(desk.state(), call);
        Application application = Lookup.application(partition, call);
        ProblemException.requireAccepted(desk.handle(maker.of(partition.name(), application.id())));
        return Views.application(partition, application, false);
    }
}
