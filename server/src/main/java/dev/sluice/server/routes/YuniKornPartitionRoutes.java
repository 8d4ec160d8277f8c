package dev.sluice.server.routes;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Partition;
import dev.sluice.server.api.HealthView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import dev.sluice.server.yunikorn.YuniKornCluster;
import dev.sluice.server.yunikorn.YuniKornNode;
import dev.sluice.server.yunikorn.YuniKornPartition;
import dev.sluice.server.yunikorn.YuniKornPlacementRule;
import dev.sluice.server.yunikorn.YuniKornPlacementRules;
import dev.sluice.server.yunikorn.YuniKornQueue;
import dev.sluice.server.yunikorn.YuniKornUtilization;
import dev.sluice.server.yunikorn.YuniKornUtilizationReport;
import dev.sluice.server.yunikorn.YuniKornViews;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** The reads of partitions with their placement rules, queues and nodes. */
final class YuniKornPartitionRoutes {

    private static final String READING_QUEUES = "reading queues";
    private static final String READING_NODES = "reading nodes";
    private static final String READING_PARTITIONS = "reading partitions";

    private final Requests requests;
    private final Supplier<HealthView> health;

    YuniKornPartitionRoutes(Requests requests, Supplier<HealthView> health) {
        this.requests = requests;
        this.health = health;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(YuniKornRoutes.get(
                        "/clusters", "Clusters", READING_PARTITIONS, "Lists the partitions with the program's version.")
                .listResponse(YuniKornCluster.class, "The partitions.")
                .handledBy(call -> counted(
                        call,
                        (partition, applications, since) ->
                                YuniKornViews.cluster(partition, applications, ServerRoutes.programVersion(), since))));
        routes.add(YuniKornRoutes.get(
                        "/partitions", "Partitions", READING_PARTITIONS, "Lists the partitions with their resources.")
                .listResponse(YuniKornPartition.class, "The partitions.")
                .handledBy(call -> counted(call, YuniKornViews::partition)));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/placementrules",
                        "PlacementRules",
                        READING_PARTITIONS,
                        "Lists the placement rules of a partition, in the order in which they are tried.")
                .listResponse(YuniKornPlacementRule.class, "The rules.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(
                        call,
                        context -> YuniKornPlacementRules.of(
                                Lookup.partition(context.state(), call).configuration())))));
        addQueues(routes);
        addNodes(routes);
        return routes;
    }

    private void addQueues(List<Route> routes) {
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/queues",
                        "Queues",
                        READING_QUEUES,
                        "Returns the root queue with all others below.")
                .response(200, YuniKornQueue.class, "The root queue.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(YuniKornViews.tree(requests.query(
                        call,
                        new QueueListQuery<>(
                                call.path("partition"),
                                (context, partition, queue) -> YuniKornViews.queue(partition, queue)))))));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.QUEUE, "Queue", READING_QUEUES, "Returns a queue without those below it.")
                .response(200, YuniKornQueue.class, "The queue.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(call, context -> {
                    Partition partition = Lookup.partition(context.state(), call);
                    return YuniKornViews.queue(partition, Lookup.queue(partition, call.path("queue")));
                }))));
    }

    private void addNodes(List<Route> routes) {
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/nodes",
                        "Nodes",
                        READING_NODES,
                        "Lists the nodes of a partition, with at most " + YuniKornTaskAllowance.TASKS_MAX + " tasks.")
                .listResponse(YuniKornNode.class, "The nodes.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(this::nodes));
        routes.add(YuniKornRoutes.get(
                        YuniKornRoutes.PARTITION + "/node/{node}", "Node", READING_NODES, "Returns a node.")
                .response(200, YuniKornNode.class, "The node.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(call, context -> {
                    Partition partition = Lookup.partition(context.state(), call);
                    return YuniKornViews.node(partition, Lookup.node(partition, call), YuniKornViews.LISTED_MAX);
                }))));
        routes.add(YuniKornRoutes.get(
                        "/scheduler/node-utilizations",
                        "NodeUtilizations",
                        READING_NODES,
                        "Counts the nodes of each partition by how far they are utilised.")
                .listResponse(YuniKornUtilization.class, "The partitions.")
                .handledBy(this::utilizations));
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

    private ApiResponse nodes(Call call) {
        YuniKornTaskAllowance tasks = new YuniKornTaskAllowance();
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
}
