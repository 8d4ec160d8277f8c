package dev.sluice.server.page;

import dev.sluice.server.api.NodeFitView;
import dev.sluice.server.api.NodeTaskView;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Nodes: a heat map of a resource type, and one node with its tasks. */
public final class NodePages {

    private static final String PATH = "/partitions/{partition}/nodes";
    private static final String ONE = PATH + "/{node}";
    private static final List<String> PARAMETERS = List.of("q", "state", "resource");

    /** Maximum number of nodes of a page. */
    private static final int NODES_MAX = 400;

    private static final List<Action> ACTIONS = List.of(
            new Action("offline", "takeNodeOffline", "Drain", "Running tasks finish, and nothing new starts here."),
            new Action("reinstate", "reinstateNode", "Reinstate", "Tasks start here again."));

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;

    /** Something that can be done with a node. */
    public record Action(String name, String route, String label, String meaning) {}

    /**
     * The list.
     *
     * @param resources the resource types that the heat map can show
     * @param resource the one that it shows
     * @param drain the address that drains the nodes; empty if the reader may not
     */
    public record ListModel(
            String partition,
            Map<String, String> query,
            List<String> resources,
            String resource,
            String drain,
            List<HeatMap.Cell> map,
            List<NodeView> nodes,
            Paging paging,
            int total) {}

    /**
     * One node.
     *
     * @param drain the address that shows what would happen without it; empty if the reader may not plan
     * @param fits pending tasks that would fit there now
     */
    public record Model(
            String partition,
            NodeView node,
            String drain,
            List<ResourceRow> resources,
            List<NodeFitView> fits,
            List<NodeTaskView> tasks,
            List<Action> actions) {}

    /** Returns what runs the tasks of a node, in words. */
    public static String runBy(NodeView node) {
        String name = String.valueOf(node.runBy());
        return switch (name) {
            case NodeView.SERVER -> "this server";
            case NodeView.AGENT -> "an agent";
            default -> name;
        };
    }

    NodePages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>(List.of(
                pages.page(
                        PATH,
                        "pageNodes",
                        "listNodes",
                        Map.of(
                                "q", "Part of the name of nodes.",
                                "state", "Only nodes in this state.",
                                "resource", "The resource type of the heat map.",
                                "from", "Number of nodes before the first one."),
                        this::list),
                pages.page(ONE, "pageNode", "getNode", Map.of(), this::one)));
        for (Action action : ACTIONS) {
            routes.add(pages.form(
                    ONE + "/" + action.name(), "page" + action.label() + "Node", action.route(), (call, fields) -> {
                        api.change(call, action.route(), named(call), Map.of());
                        return PageAnswers.redirect(Links.node(call.path("partition"), call.path("node")));
                    }));
        }
        return routes;
    }

    private String drain(Call call, Map<String, String> query) {
        return api.permits(call, "planPartition") ? Links.with(Links.drain(call.path("partition")), query) : "";
    }

    private static Map<String, String> named(Call call) {
        return Map.of("partition", call.path("partition"), "node", call.path("node"));
    }

    private ApiResponse list(Call call) {
        String partition = call.path("partition");
        Map<String, String> query = PageRoutes.given(call, PARAMETERS);
        Paging from = Paging.of(call, Links.nodes(partition), query, NODES_MAX);
        Shell shell = shells.live(call, "Nodes", Shell.Section.NODES, partition, from.self());
        List<NodeView> all = api.list(call, "listNodes", NodeView.class, Map.of("partition", partition));
        List<NodeView> nodes = matching(all, query);
        List<String> resources = nodes.stream()
                .flatMap(node -> node.capacity().keySet().stream())
                .distinct()
                .sorted()
                .toList();
        String named = query.getOrDefault("resource", "");
        String resource = resources.contains(named) ? named : resources.isEmpty() ? "" : busiest(nodes, resources);
        List<NodeView> shown = from.shown(nodes);
        return PageAnswers.page(
                200,
                templates.render(
                        "nodes",
                        shell,
                        new ListModel(
                                partition,
                                query,
                                resources,
                                resource,
                                drain(
                                        call,
                                        Map.of(
                                                "q", query.getOrDefault("q", ""),
                                                "state", query.getOrDefault("state", ""))),
                                HeatMap.of(partition, shown, resource),
                                shown,
                                from.among(nodes.size()),
                                all.size())));
    }

    /** Returns the nodes that match the parameters {@code q} and {@code state} of a page. */
    static List<NodeView> matching(List<NodeView> nodes, Map<String, String> query) {
        String search = query.getOrDefault("q", "").toLowerCase(Locale.ROOT);
        String state = query.getOrDefault("state", "");
        return nodes.stream()
                .filter(node -> node.name().toLowerCase(Locale.ROOT).contains(search)
                        && (state.isEmpty() || node.state().equals(state)))
                .toList();
    }

    /** Returns the resource type of which the largest part is allocated. */
    private static String busiest(List<NodeView> nodes, List<String> resources) {
        String busiest = resources.get(0);
        double most = -1;
        for (String resource : resources) {
            double whole = Math.max(
                    1,
                    nodes.stream()
                            .mapToDouble(node -> node.capacity().getOrDefault(resource, 0L))
                            .sum());
            double used = nodes.stream()
                    .mapToDouble(node -> node.allocated().getOrDefault(resource, 0L))
                    .sum();
            if (used / whole > most) {
                most = used / whole;
                busiest = resource;
            }
        }
        return busiest;
    }

    private ApiResponse one(Call call) {
        String partition = call.path("partition");
        Shell shell = shells.live(
                call, call.path("node"), Shell.Section.NODES, partition, Links.node(partition, call.path("node")));
        NodeView node = api.get(call, "getNode", NodeView.class, named(call));
        List<?> fits = api.get(call, "listNodeFits", List.class, named(call));
        List<?> tasks = api.get(call, "listNodeTasks", List.class, named(call));
        List<Action> actions = ACTIONS.stream()
                .filter(action -> api.permits(call, action.route())
                        && action.name().equals(node.offline() ? "reinstate" : "offline"))
                .toList();
        return PageAnswers.page(
                200,
                templates.render(
                        "node",
                        shell,
                        new Model(
                                partition,
                                node,
                                drain(call, Map.of("node", node.name())),
                                ResourceRow.of(node.allocated(), Map.of(), Map.of(), node.capacity(), Map.of()),
                                fits.stream().map(NodeFitView.class::cast).toList(),
                                tasks.stream().map(NodeTaskView.class::cast).toList(),
                                actions)));
    }
}
