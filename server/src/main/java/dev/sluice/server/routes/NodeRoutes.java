package dev.sluice.server.routes;

import dev.sluice.core.command.Command;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.server.api.NodeDocument;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Routes of nodes. */
public final class NodeRoutes {

    private static final String NODES = "/partitions/{partition}/nodes";
    private static final String NODE = NODES + "/{node}";
    private static final String TOPIC = "nodes";

    private final Requests requests;
    private final Predicate<String> isLocal;

    /**
     * Creates the routes.
     *
     * @param isLocal returns whether this server runs the tasks of a node, given its name
     */
    public NodeRoutes(Requests requests, Predicate<String> isLocal) {
        this.requests = requests;
        this.isLocal = isLocal;
    }

    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(Route.get(NODES)
                .named("listNodes", TOPIC)
                .role(Role.VIEWER)
                .summary("Lists the nodes of a partition in registration order.")
                .query("state", Parameter.Type.TEXT, "Only nodes in this state, such as ready.")
                .listResponse(NodeView.class, "The nodes.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(this::list));
        routes.add(Route.post(NODES)
                .named("registerNode", TOPIC)
                .role(Role.OPERATOR)
                .summary("Registers a node. An agent runs the tasks placed on it and reports their status.")
                .jsonBody(NodeDocument.class, "The node.")
                .response(201, NodeView.class, "The updated node.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.DUPLICATE, ProblemKind.INVALID, ProblemKind.TOO_MUCH)
                .handledBy(this::register));
        routes.add(Route.get(NODE)
                .named("getNode", TOPIC)
                .role(Role.VIEWER)
                .summary("Returns one node.")
                .response(200, NodeView.class, "The node.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(
                        call,
                        context -> view(
                                Lookup.partition(context.state(), call),
                                Lookup.node(Lookup.partition(context.state(), call), call))))));
        routes.add(Route.put(NODE)
                .named("updateNode", TOPIC)
                .role(Role.OPERATOR)
                .summary("Updates a node's capacity and labels; running tasks are unaffected.")
                .jsonBody(NodeDocument.class, "The new capacity and labels.")
                .response(200, NodeView.class, "The updated node.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID, ProblemKind.TOO_MUCH)
                .handledBy(this::update));
        routes.add(Route.delete(NODE)
                .named("removeNode", TOPIC)
                .role(Role.OPERATOR)
                .summary("Removes a node; its tasks are lost and run again elsewhere.")
                .emptyResponse("The node was removed.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> {
                    command(call, "RemoveNode", Command.RemoveNode::new);
                    return ApiResponse.done();
                }));
        routes.add(action(
                "offline",
                "takeNodeOffline",
                "TakeNodeOffline",
                Command.TakeNodeOffline::new,
                "Takes a node offline: running tasks finish, no new tasks are placed."));
        routes.add(action(
                "reinstate",
                "reinstateNode",
                "ReinstateNode",
                Command.ReinstateNode::new,
                "Brings an offline node back online."));
        routes.add(action(
                "suspend",
                "suspendNode",
                "SuspendNode",
                Command.SuspendNode::new,
                "Suspends a node: no new tasks are placed until it is reported ready."));
        routes.add(action(
                "ready",
                "reportNodeReady",
                "ReportNodeReady",
                Command.ReportNodeReady::new,
                "Reports a node as ready."));
        routes.add(action(
                "lost", "reportNodeLost", "ReportNodeLost", Command.ReportNodeLost::new, "Reports a node as lost."));
        routes.add(action(
                "flaky",
                "reportNodeFlaky",
                "ReportNodeFlaky",
                Command.ReportNodeFlaky::new,
                "Reports a node as flaky: no new tasks are placed for a while because tasks fail there."));
        return routes;
    }

    private Route action(
            String wireName,
            String name,
            String command,
            BiFunction<String, String, Command.NodeCommand> maker,
            String summary) {
        return Route.post(NODE + "/" + wireName)
                .named(name, TOPIC)
                .role(Role.OPERATOR)
                .summary(summary)
                .response(200, NodeView.class, "The updated node.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(command(call, command, maker)));
    }

    /** Executes a command for the node of the path; returns its new view, or null if it was removed. */
    private Object command(Call call, String action, BiFunction<String, String, Command.NodeCommand> maker) {
        return requests.perform(call, action, context -> {
            Partition partition = Lookup.partition(context.state(), call);
            Node node = Lookup.node(partition, call);
            ProblemException.requireAccepted(context.handle(maker.apply(partition.name(), node.name())));
            return view(partition, node);
        });
    }

    private NodeView view(Partition partition, Node node) {
        return Views.node(partition, node, isLocal.test(node.name()));
    }

    private ApiResponse list(Call call) {
        String state = call.query("state");
        if (state != null
                && Arrays.stream(NodeState.values())
                        .noneMatch(each -> each.wireName().equalsIgnoreCase(state))) {
            throw ProblemException.of(
                    ProblemKind.INVALID, "unknown node state " + state + "; use a state such as ready or offline");
        }
        return ApiResponse.ok(requests.query(call, new NodeListQuery(call.path("partition"), state, isLocal)));
    }

    private ApiResponse register(Call call) {
        NodeDocument document = call.body(NodeDocument.class);
        String name = document.name();
        if (name == null) {
            throw ProblemException.of(ProblemKind.INVALID, "missing field name");
        }
        Resources capacity = RequestedAmounts.read("capacity", document.capacity());
        SortedMap<String, String> labels = labels(document);
        return ApiResponse.created(requests.perform(call, "RegisterNode", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            ProblemException.requireAccepted(
                    context.handle(new Command.RegisterNode(partition.name(), name, capacity, labels)));
            Node node = partition.node(name);
            if (node == null) {
                throw new IllegalStateException("registered node not found: " + name);
            }
            return view(partition, node);
        }));
    }

    private ApiResponse update(Call call) {
        NodeDocument document = call.body(NodeDocument.class);
        String written = document.name();
        if (written != null && !written.equals(call.path("node"))) {
            throw ProblemException.of(
                    ProblemKind.INVALID, "nodes cannot be renamed; omit name, or register another node");
        }
        Resources capacity = RequestedAmounts.read("capacity", document.capacity());
        SortedMap<String, String> labels = labels(document);
        return ApiResponse.ok(command(
                call, "UpdateNode", (partition, node) -> new Command.UpdateNode(partition, node, capacity, labels)));
    }

    private static SortedMap<String, String> labels(NodeDocument document) {
        Map<String, String> labels = document.labels();
        return labels == null ? new TreeMap<>() : new TreeMap<>(labels);
    }
}
