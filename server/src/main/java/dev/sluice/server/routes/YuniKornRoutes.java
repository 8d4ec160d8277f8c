package dev.sluice.server.routes;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.queues.QueueConfigurationReader;
import dev.sluice.config.queues.QueueConfigurationWriter;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.EventView;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.configuration.Configurations;
import dev.sluice.server.live.LiveFeed;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.yunikorn.YuniKornApplication;
import dev.sluice.server.yunikorn.YuniKornCluster;
import dev.sluice.server.yunikorn.YuniKornEventRecords;
import dev.sluice.server.yunikorn.YuniKornEvents;
import dev.sluice.server.yunikorn.YuniKornHealth;
import dev.sluice.server.yunikorn.YuniKornHistory;
import dev.sluice.server.yunikorn.YuniKornNode;
import dev.sluice.server.yunikorn.YuniKornPartition;
import dev.sluice.server.yunikorn.YuniKornQueue;
import dev.sluice.server.yunikorn.YuniKornSample;
import dev.sluice.server.yunikorn.YuniKornUsage;
import dev.sluice.server.yunikorn.YuniKornUsageReport;
import dev.sluice.server.yunikorn.YuniKornUtilization;
import dev.sluice.server.yunikorn.YuniKornUtilizationReport;
import dev.sluice.server.yunikorn.YuniKornValidation;
import dev.sluice.server.yunikorn.YuniKornViews;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The REST reads of Apache YuniKorn, at the paths and in the format that its documentation describes. */
public final class YuniKornRoutes {

    /** Maximum number of applications in one response. */
    static final int APPLICATIONS_MAX = 10_000;

    /** Maximum number of tasks in one response. */
    private static final int TASKS_MAX = 100_000;

    private static final int EVENTS = 10_000;
    private static final String ROOT = "/ws/v1";
    private static final String PARTITION = ROOT + "/partition/{partition}";
    private static final String QUEUE = PARTITION + "/queue/{queue}";
    private static final String TOPIC = "yunikorn";
    private static final String READING_APPLICATIONS = "reading applications";
    private static final String READING_QUEUES = "reading queues";
    private static final String READING_NODES = "reading nodes";
    private static final String READING_PARTITIONS = "reading partitions";
    private static final String READING_USAGE = "reading the usage of limits";

    private final Requests requests;
    private final Configurations configurations;
    private final LiveFeed feed;
    private final Supplier<HealthView> health;
    private final YuniKornHistory history;

    public YuniKornRoutes(
            Requests requests,
            Configurations configurations,
            LiveFeed feed,
            Supplier<HealthView> health,
            YuniKornHistory history) {
        this.requests = requests;
        this.configurations = configurations;
        this.feed = feed;
        this.health = health;
        this.history = history;
    }

    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(get("/clusters", "Clusters", READING_PARTITIONS, "Lists the partitions with the program's version.")
                .listResponse(YuniKornCluster.class, "The partitions.")
                .handledBy(call -> counted(
                        call,
                        (partition, applications, since) ->
                                YuniKornViews.cluster(partition, applications, ServerRoutes.programVersion(), since))));
        routes.add(get("/partitions", "Partitions", READING_PARTITIONS, "Lists the partitions with their resources.")
                .listResponse(YuniKornPartition.class, "The partitions.")
                .handledBy(call -> counted(call, YuniKornViews::partition)));
        addQueues(routes);
        addApplications(routes);
        addNodes(routes);
        addUsage(routes);
        addServer(routes);
        return routes;
    }

    private static Route.Builder get(String path, String name, String action, String summary) {
        return Route.getAtRoot((path.startsWith(ROOT) ? "" : ROOT) + path)
                .named("yunikorn" + name, TOPIC)
                .action(action)
                .role(Role.VIEWER)
                .summary(summary);
    }

    private void addQueues(List<Route> routes) {
        routes.add(get(PARTITION + "/queues", "Queues", READING_QUEUES, "Returns the root queue with all others below.")
                .response(200, YuniKornQueue.class, "The root queue.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(YuniKornViews.tree(requests.query(
                        call,
                        new QueueListQuery<>(
                                call.path("partition"),
                                (context, partition, queue) -> YuniKornViews.queue(partition, queue)))))));
        routes.add(get(QUEUE, "Queue", READING_QUEUES, "Returns a queue without those below it.")
                .response(200, YuniKornQueue.class, "The queue.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(call, context -> {
                    Partition partition = Lookup.partition(context.state(), call);
                    return YuniKornViews.queue(partition, Lookup.queue(partition, call.path("queue")));
                }))));
    }

    private void addApplications(List<Route> routes) {
        String bound = "; at most " + APPLICATIONS_MAX + ", with at most " + TASKS_MAX + " tasks.";
        routes.add(get(
                        PARTITION + "/applications/{state}",
                        "Applications",
                        READING_APPLICATIONS,
                        "Lists the applications of a partition in a state" + bound)
                .query("status", Parameter.Type.TEXT, "Only applications in this state, such as Running.")
                .listResponse(YuniKornApplication.class, "The applications.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                .handledBy(call -> ApiResponse.ok(applications(call, call.path("state"), null))));
        routes.add(get(
                        QUEUE + "/applications",
                        "QueueApplications",
                        READING_APPLICATIONS,
                        "Lists the active applications of a queue" + bound)
                .listResponse(YuniKornApplication.class, "The applications.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(applications(call, "active", queuePath(call)))));
        routes.add(get(
                        QUEUE + "/applications/{state}",
                        "QueueApplicationsByState",
                        READING_APPLICATIONS,
                        "Lists the applications of a queue in a state" + bound)
                .query("status", Parameter.Type.TEXT, "Only applications in this state, such as Running.")
                .listResponse(YuniKornApplication.class, "The applications.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                .handledBy(call -> ApiResponse.ok(applications(call, call.path("state"), queuePath(call)))));
        for (String path : List.of(PARTITION, QUEUE)) {
            routes.add(get(
                            path + "/application/{application}",
                            path.equals(PARTITION) ? "Application" : "QueueApplication",
                            READING_APPLICATIONS,
                            "Returns an application with its pending and allocated tasks, at most "
                                    + YuniKornViews.LISTED_MAX + ".")
                    .response(200, YuniKornApplication.class, "The application.")
                    .problems(ProblemKind.NOT_FOUND)
                    .handledBy(this::application));
        }
    }

    private void addNodes(List<Route> routes) {
        routes.add(get(
                        PARTITION + "/nodes",
                        "Nodes",
                        READING_NODES,
                        "Lists the nodes of a partition, with at most " + TASKS_MAX + " tasks.")
                .listResponse(YuniKornNode.class, "The nodes.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(this::nodes));
        routes.add(get(PARTITION + "/node/{node}", "Node", READING_NODES, "Returns a node.")
                .response(200, YuniKornNode.class, "The node.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(call, context -> {
                    Partition partition = Lookup.partition(context.state(), call);
                    return YuniKornViews.node(partition, Lookup.node(partition, call), YuniKornViews.LISTED_MAX);
                }))));
        routes.add(get(
                        "/scheduler/node-utilizations",
                        "NodeUtilizations",
                        READING_NODES,
                        "Counts the nodes of each partition by how far they are utilised.")
                .listResponse(YuniKornUtilization.class, "The partitions.")
                .handledBy(this::utilizations));
    }

    private void addUsage(List<Route> routes) {
        routes.add(get(PARTITION + "/usage/users", "Users", READING_USAGE, "Lists what users use in each queue.")
                .listResponse(YuniKornUsage.OfUser.class, "The users that have active applications.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(
                        usage(call, LimitUsage.Subject.USER, null).users())));
        routes.add(get(PARTITION + "/usage/user/{user}", "User", READING_USAGE, "Returns what a user uses.")
                .response(200, YuniKornUsage.OfUser.class, "The user.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> only(
                        usage(call, LimitUsage.Subject.USER, call.path("user")).users(), "user " + call.path("user"))));
        routes.add(get(
                        PARTITION + "/usage/groups",
                        "Groups",
                        READING_USAGE,
                        "Lists what groups with a limit use in each queue.")
                .listResponse(YuniKornUsage.OfGroup.class, "The groups that have active applications.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(
                        usage(call, LimitUsage.Subject.GROUP, null).groups())));
        routes.add(get(PARTITION + "/usage/group/{group}", "Group", READING_USAGE, "Returns what a group uses.")
                .response(200, YuniKornUsage.OfGroup.class, "The group.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> only(
                        usage(call, LimitUsage.Subject.GROUP, call.path("group"))
                                .groups(),
                        "group " + call.path("group"))));
    }

    private void addServer(List<Route> routes) {
        routes.add(get("/config", "Configuration", "reading the configuration", "Returns the current configuration.")
                .textResponse("The queues.yaml.", "application/yaml")
                .handledBy(call -> ApiResponse.text(
                        "application/yaml", QueueConfigurationWriter.yaml(configurations.partitions()))));
        routes.add(Route.postAtRoot(ROOT + "/validate-conf")
                .named("yunikornValidate", TOPIC)
                .action("validating a configuration")
                .role(Role.VIEWER)
                .summary("Says whether a configuration could be applied.")
                .documentBody(null, "A queues.yaml.")
                .response(200, YuniKornValidation.class, "Whether it could be applied, and why not.")
                .handledBy(this::validate));
        routes.add(get(
                        "/scheduler/healthcheck",
                        "Health",
                        "reading the health of the server",
                        "Returns the server's health.")
                .response(200, YuniKornHealth.class, "The server is healthy.")
                .response(503, YuniKornHealth.class, "It is not.")
                .handledBy(call -> health()));
        routes.add(get(
                        "/history/apps",
                        "ApplicationHistory",
                        "reading usage",
                        "Lists how many applications were active, each minute of the last day since the server's start.")
                .listResponse(YuniKornSample.OfApplications.class, "The numbers, oldest first.")
                .handledBy(call -> ApiResponse.ok(history.applications())));
        routes.add(get(
                        "/history/containers",
                        "ContainerHistory",
                        "reading usage",
                        "Lists how many tasks were allocated, each minute of the last day since the server's start.")
                .listResponse(YuniKornSample.OfContainers.class, "The numbers, oldest first.")
                .handledBy(call -> ApiResponse.ok(history.containers())));
        routes.add(get("/events/batch", "Events", "reading events", "Lists events.")
                .query("start", Parameter.Type.NUMBER, "Number of the first event; defaults to the oldest.")
                .query("count", Parameter.Type.NUMBER, "Maximum number of events: 1 to " + EVENTS + ", the default.")
                .response(200, YuniKornEvents.class, "The events.")
                .problems(ProblemKind.INVALID)
                .handledBy(this::events));
    }

    private List<String> partitionNames(Call call) {
        return requests.query(call, new PartitionListQuery()).stream()
                .map(PartitionView::name)
                .toList();
    }

    /** Returns the views of all partitions, but of those that are removed meanwhile. */
    private <T> List<T> ofPartitions(Call call, Function<String, T> viewer) {
        List<T> views = new ArrayList<>();
        for (String partition : partitionNames(call)) {
            try {
                views.add(viewer.apply(partition));
            } catch (ProblemException e) {
                if (e.kind() != ProblemKind.NOT_FOUND) {
                    throw e;
                }
            }
        }
        return views;
    }

    /** Views a partition with the number of its applications in each state. */
    private interface Viewer<T> {
        T view(Partition partition, Map<ApplicationState, Integer> applications, Instant since);
    }

    private <T> ApiResponse counted(Call call, Viewer<T> viewer) {
        Instant since = health.get().since();
        return ApiResponse.ok(ofPartitions(call, name -> {
            Map<ApplicationState, Integer> states = new EnumMap<>(ApplicationState.class);
            return requests.query(
                    call,
                    new ApplicationScan<>(
                            name,
                            (partition, application, budget) -> {
                                states.merge(application.state(), 1, Integer::sum);
                                return true;
                            },
                            partition -> viewer.view(partition, states, since)));
        }));
    }

    private String queuePath(Call call) {
        return requests.read(
                call,
                context -> Lookup.queue(Lookup.partition(context.state(), call), call.path("queue"))
                        .path());
    }

    /** Counts the tasks that one response may still list. */
    private static final class TaskAllowance {

        private int left = TASKS_MAX;

        int next() {
            return Math.min(left, YuniKornViews.LISTED_MAX);
        }

        void used(int tasks) {
            left -= tasks;
        }
    }

    private List<YuniKornApplication> applications(Call call, String group, @Nullable String queue) {
        ApplicationFilter states = ApplicationFilter.of(null, null, stateOf(group), null);
        String status = queue != null && call.route().path().endsWith("/applications") ? null : call.query("status");
        ApplicationFilter narrower = status == null ? states : ApplicationFilter.of(null, null, status, null);
        List<YuniKornApplication> found = new ArrayList<>();
        TaskAllowance tasks = new TaskAllowance();
        return requests.query(
                call,
                new ApplicationScan<>(
                        call.path("partition"),
                        (partition, application, budget) -> {
                            if (states.matches(application)
                                    && narrower.matches(application)
                                    && isIn(queue, application)) {
                                YuniKornApplication view =
                                        YuniKornViews.application(partition, application, tasks.next());
                                int listed = view.allocations().size()
                                        + view.requests().size();
                                tasks.used(view.allocations().size());
                                budget.takeUpTo(listed);
                                found.add(view);
                            }
                            return found.size() < APPLICATIONS_MAX;
                        },
                        partition -> found));
    }

    private static String stateOf(String group) {
        return switch (group) {
            case "active" -> "active";
            case "completed" -> "ended";
            case "rejected" -> "rejected";
            default ->
                throw ProblemException.of(
                        ProblemKind.INVALID, "unknown state " + group + "; use active, completed or rejected");
        };
    }

    private static boolean isIn(@Nullable String queue, Application application) {
        Queue of = application.hasQueue() ? application.queue() : null;
        return queue == null || (of != null && of.path().equals(queue));
    }

    private ApiResponse application(Call call) {
        return ApiResponse.ok(requests.read(call, context -> {
            Partition partition = Lookup.partition(context.state(), call);
            Application application = Lookup.application(partition, call);
            if (call.route().path().startsWith(QUEUE) && !isIn(call.path("queue"), application)) {
                throw Lookup.noApplication(call);
            }
            return YuniKornViews.application(partition, application, YuniKornViews.LISTED_MAX);
        }));
    }

    private ApiResponse nodes(Call call) {
        TaskAllowance tasks = new TaskAllowance();
        return ApiResponse.ok(requests.query(
                call, new NodeListQuery<>(call.path("partition"), node -> true, (partition, node, budget) -> {
                    YuniKornNode view = YuniKornViews.node(partition, node, tasks.next());
                    tasks.used(view.allocations().size());
                    budget.takeUpTo(view.allocations().size());
                    return view;
                })));
    }

    private ApiResponse utilizations(Call call) {
        return ApiResponse.ok(ofPartitions(call, name -> {
            YuniKornUtilizationReport report = new YuniKornUtilizationReport();
            requests.query(call, new NodeListQuery<>(name, node -> true, (partition, node, budget) -> {
                report.add(partition, node);
                return node.name();
            }));
            return report.of(name);
        }));
    }

    private YuniKornUsageReport usage(Call call, LimitUsage.Subject kind, @Nullable String only) {
        YuniKornUsageReport report = new YuniKornUsageReport(kind, only);
        return requests.query(
                call,
                new ApplicationScan<>(
                        call.path("partition"),
                        (partition, application, budget) -> {
                            report.add(partition, application);
                            return true;
                        },
                        partition -> report));
    }

    private static ApiResponse only(List<?> found, String what) {
        if (found.isEmpty()) {
            throw ProblemException.of(ProblemKind.NOT_FOUND, what + " has no active application");
        }
        return ApiResponse.ok(found.get(0));
    }

    private ApiResponse validate(Call call) {
        ParseResult<List<PartitionConfiguration>> reading = QueueConfigurationReader.read("body", call.text());
        if (!reading.isOk()) {
            return ApiResponse.ok(new YuniKornValidation(false, reading.report()));
        }
        Optional<Refusal> refusal = requests.query(call, new ConfigurationQuery(reading.value()));
        return ApiResponse.ok(new YuniKornValidation(
                refusal.isEmpty(), refusal.map(Refusal::message).orElse("")));
    }

    private ApiResponse health() {
        HealthView view = health.get();
        boolean healthy = view.status().equals("up");
        YuniKornHealth.Check check = new YuniKornHealth.Check(
                "Server", healthy, "The server accepts work and starts tasks", view.status() + ": " + view.parts());
        return new ApiResponse(healthy ? 200 : 503, new YuniKornHealth(healthy, List.of(check)), Map.of());
    }

    private ApiResponse events(Call call) {
        int count = (int) call.number("count", EVENTS, 1, EVENTS);
        try {
            long lowest = feed.firstSequence();
            long start = Math.max(lowest, call.number("start", lowest, 0, Long.MAX_VALUE));
            List<EventView> events = feed.after(start - 1, count);
            return ApiResponse.ok(new YuniKornEvents(
                    lowest,
                    feed.last(),
                    events.stream().map(YuniKornEventRecords::of).toList()));
        } catch (StoreException e) {
            throw ProblemException.retry(
                    ProblemKind.UNAVAILABLE, "cannot read the journal: " + e.getMessage(), Duration.ofSeconds(5), e);
        }
    }
}
