package dev.sluice.server.routes;

import dev.sluice.core.application.Taint;
import dev.sluice.core.command.Command;
import dev.sluice.core.explain.NodeFit;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.Partition;
import dev.sluice.server.api.NodeDocument;
import dev.sluice.server.api.NodeFitView;
import dev.sluice.server.api.NodeTaskView;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.TaintChangeDocument;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.ConstraintViews;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;

/** Routes of nodes. */
public final class NodeRoutes {

    private static final String NODES = "/partitions/{partition}/nodes";
    private static final String NODE = NODES + "/{node}";
    private static final String TOPIC = "nodes";

    /** Maximum number of tasks of a node that are listed. */
    private static final int TASKS_MAX = 1000;

    /** Maximum number of groups of pending tasks that are listed. */
    private static final int FITS_MAX = 100;

    private final Requests requests;
    private final BinaryOperator<String> runBy;

    /**
     * Creates the routes.
     *
     * @param runBy returns what runs the tasks of a node, given its partition and its name
     */
    public NodeRoutes(Requests requests, BinaryOperator<String> runBy) {
        this.requests = requests;
        this.runBy = runBy;
    }

    public List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.add(Route.get(NODES)
                .named("listNodes", TOPIC)
                .action("reading nodes")
                .role(Role.VIEWER)
                .summary("Lists the nodes of a partition in registration order.")
                .query("state", Parameter.Type.TEXT, "Only nodes in this state, such as ready.")
                .listResponse(NodeView.class, "The nodes.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(this::list));
        routes.add(Route.post(NODES)
                .named("registerNode", TOPIC)
                .action("registering a node")
                .role(Role.OPERATOR)
                .summary("Registers a node. An agent runs the tasks placed on it and reports their status.")
                .jsonBody(NodeDocument.class, "The node.")
                .response(201, NodeView.class, "The updated node.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.DUPLICATE, ProblemKind.INVALID, ProblemKind.TOO_MUCH)
                .handledBy(this::register));
        routes.add(Route.get(NODE)
                .named("getNode", TOPIC)
                .action("reading nodes")
                .role(Role.VIEWER)
                .summary("Returns one node.")
                .response(200, NodeView.class, "The node.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(
                        call,
                        context -> view(
                                Lookup.partition(context.state(), call),
                                Lookup.node(Lookup.partition(context.state(), call), call))))));
        routes.add(Route.get(NODE + "/tasks")
                .named("listNodeTasks", TOPIC)
                .action("reading nodes")
                .role(Role.VIEWER)
                .summary("Lists the tasks that are allocated on a node, the latest " + TASKS_MAX + " first.")
                .listResponse(NodeTaskView.class, "The tasks.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(
                        call,
                        context -> Views.nodeTasks(
                                Lookup.node(Lookup.partition(context.state(), call), call), TASKS_MAX)))));
        routes.add(Route.get(NODE + "/fits")
                .named("listNodeFits", TOPIC)
                .action("reading nodes")
                .role(Role.VIEWER)
                .summary("Lists pending tasks that would fit on a node now, by its free resources and constraints on"
                        + " nodes, in submission order: at most " + FITS_MAX + ", of the first " + NodeFit.GROUPS_MAX
                        + " groups of pending tasks. They may wait for other reasons.")
                .listResponse(NodeFitView.class, "The tasks.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> ApiResponse.ok(requests.read(call, context -> {
                    Partition partition = Lookup.partition(context.state(), call);
                    return Views.nodeFits(NodeFit.on(Lookup.node(partition, call), partition, FITS_MAX));
                }))));
        routes.add(Route.put(NODE)
                .named("updateNode", TOPIC)
                .action("updating a node")
                .role(Role.OPERATOR)
                .summary("Updates a node's capacity, labels and taints; only a taint NoExecute affects running tasks.")
                .jsonBody(NodeDocument.class, "The new capacity and labels, and taints if they change.")
                .response(200, NodeView.class, "The updated node.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID, ProblemKind.TOO_MUCH)
                .handledBy(this::update));
        routes.add(Route.delete(NODE)
                .named("removeNode", TOPIC)
                .action("removing a node")
                .role(Role.OPERATOR)
                .summary("Removes a node; its tasks are lost and run again elsewhere.")
                .emptyResponse("The node was removed.")
                .problems(ProblemKind.NOT_FOUND)
                .handledBy(call -> {
                    command(call, "RemoveNode", Command.RemoveNode::new);
                    return ApiResponse.done();
                }));
        routes.add(Route.post(NODE + "/taint")
                .named("taintNode", TOPIC)
                .action("tainting a node")
                .role(Role.OPERATOR)
                .summary("Adds and removes taints of a node; the others stay.")
                .jsonBody(TaintChangeDocument.class, "The taints to add and to remove.")
                .response(200, NodeView.class, "The updated node.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID, ProblemKind.TOO_MUCH)
                .handledBy(this::taint));
        routes.add(action(
                "offline",
                "takeNodeOffline",
                "taking a node offline",
                "TakeNodeOffline",
                Command.TakeNodeOffline::new,
                "Takes a node offline: running tasks finish, no new tasks are placed."));
        routes.add(action(
                "reinstate",
                "reinstateNode",
                "reinstating a node",
                "ReinstateNode",
                Command.ReinstateNode::new,
                "Brings an offline node back online."));
        routes.add(action(
                "suspend",
                "suspendNode",
                "suspending a node",
                "SuspendNode",
                Command.SuspendNode::new,
                "Suspends a node: no new tasks are placed until it is reported ready."));
        routes.add(action(
                "ready",
                "reportNodeReady",
                "reporting a node",
                "ReportNodeReady",
                Command.ReportNodeReady::new,
                "Reports a node as ready."));
        routes.add(action(
                "lost",
                "reportNodeLost",
                "reporting a node",
                "ReportNodeLost",
                Command.ReportNodeLost::new,
                "Reports a node as lost."));
        routes.add(action(
                "flaky",
                "reportNodeFlaky",
                "reporting a node",
                "ReportNodeFlaky",
                Command.ReportNodeFlaky::new,
                "Reports a node as flaky: no new tasks are placed for a while because tasks fail there."));
        return routes;
    }

    private Route action(
            String wireName,
            String name,
            String action,
            String command,
            BiFunction<String, String, Command.NodeCommand> maker,
            String summary) {
        return Route.post(NODE + "/" + wireName)
                .named(name, TOPIC)
                .action(action)
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
        return Views.node(partition, node, runBy.apply(partition.name(), node.name()));
    }

    private ApiResponse list(Call call) {
        String state = call.query("state");
        if (state != null
                && Arrays.stream(NodeState.values())
                        .noneMatch(each -> each.wireName().equalsIgnoreCase(state))) {
            throw ProblemException.of(
                    ProblemKind.INVALID, "unknown node state " + state + "; use a state such as ready or offline");
        }
        List<Supplier<NodeView>> nodes = requests.query(
                call,
                new NodeListQuery<>(
                        call.path("partition"),
                        node -> state == null || node.state().wireName().equalsIgnoreCase(state),
                        (partition, node, budget) ->
                                Views.laterNode(partition, node, runBy.apply(partition.name(), node.name()))));
        return ApiResponse.ok(nodes.stream().map(Supplier::get).toList());
    }

    private ApiResponse register(Call call) {
        NodeDocument document = call.body(NodeDocument.class);
        String name = document.name();
        if (name == null) {
            throw ProblemException.of(ProblemKind.INVALID, "missing field name");
        }
        Resources capacity = RequestedAmounts.read("capacity", document.capacity());
        SortedMap<String, String> labels = labels(document);
        List<Taint> taints = ConstraintViews.taintsOf(document.taints() == null ? List.of() : document.taints());
        return ApiResponse.created(requests.perform(call, "RegisterNode", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            ProblemException.requireAccepted(
                    context.handle(new Command.RegisterNode(partition.name(), name, capacity, labels, taints)));
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
        List<Taint> taints = document.taints() == null ? null : ConstraintViews.taintsOf(document.taints());
        return ApiResponse.ok(command(
                call,
                "UpdateNode",
                (partition, node) -> new Command.UpdateNode(partition, node, capacity, labels, taints)));
    }

    private ApiResponse taint(Call call) {
        TaintChangeDocument document = call.body(TaintChangeDocument.class);
        List<Taint> added = ConstraintViews.taintsOf(document.add() == null ? List.of() : document.add());
        List<TaintChangeDocument.TaintSelectionDocument> removed =
                document.remove() == null ? List.of() : document.remove();
        removed.forEach(each -> ConstraintViews.effectOf(each.effect()));
        return ApiResponse.ok(requests.perform(call, "TaintNode", context -> {
            Partition partition = Lookup.partition(context.state(), call);
            Node node = Lookup.node(partition, call);
            List<Taint> taints = new ArrayList<>(node.taints());
            for (TaintChangeDocument.TaintSelectionDocument each : removed) {
                if (!taints.removeIf(taint -> isSelected(taint, each))) {
                    throw ProblemException.of(
                            ProblemKind.NOT_FOUND,
                            "node " + node.name() + " has no taint " + each.key()
                                    + (each.effect() == null ? "" : ":" + each.effect()));
                }
            }
            for (Taint taint : added) {
                taints.removeIf(each -> each.isAbout(taint) && !each.isSameAs(taint));
                if (taints.stream().noneMatch(taint::isSameAs)) {
                    taints.add(taint);
                }
            }
            ProblemException.requireAccepted(
                    context.handle(new Command.TaintNode(partition.name(), node.name(), taints)));
            return view(partition, node);
        }));
    }

    private static boolean isSelected(Taint taint, TaintChangeDocument.TaintSelectionDocument selection) {
        return taint.key().equals(selection.key())
                && (selection.effect() == null || taint.effect().wireName().equals(selection.effect()));
    }

    private static SortedMap<String, String> labels(NodeDocument document) {
        Map<String, String> labels = document.labels();
        return labels == null ? new TreeMap<>() : new TreeMap<>(labels);
    }
}
