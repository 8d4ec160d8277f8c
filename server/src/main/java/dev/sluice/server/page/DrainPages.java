package dev.sluice.server.page;

import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.PlanDocument;
import dev.sluice.server.api.PlanView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Draining several nodes, with what it would mean if they were gone. */
public final class DrainPages {

    private static final String PATH = "/partitions/{partition}/drain";

    /** Maximum number of nodes that the page begins with. */
    private static final int NODES_MAX = 1_000;

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;

    /**
     * What the page shows.
     *
     * @param names the names of the nodes, one per line
     * @param nodes the number of these nodes
     * @param tasks the number of tasks that are allocated on them
     * @param problem what is wrong with the names; empty if nothing is
     * @param plan what it would mean if they were gone, or null
     */
    public record Model(
            String partition,
            String names,
            int nodes,
            long tasks,
            String problem,
            @Nullable PlanView plan) {}

    DrainPages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
    }

    List<Route> routes() {
        return List.of(
                pages.page(
                        PATH,
                        "pageDrain",
                        "planPartition",
                        Map.of(
                                "node", "The name of a node.",
                                "q", "Part of the name of nodes.",
                                "state", "Only nodes in this state."),
                        this::show),
                pages.form(PATH + "/plan", "pagePlanDrain", "planPartition", this::plan),
                pages.form(PATH, "pageDrainNodes", "takeNodeOffline", this::drain));
    }

    private ApiResponse show(Call call) {
        String node = call.query("node");
        List<String> names = node != null
                ? List.of(node)
                : NodePages.matching(nodes(call), PageRoutes.given(call, List.of("q", "state"))).stream()
                        .filter(each -> !each.offline())
                        .limit(NODES_MAX)
                        .map(NodeView::name)
                        .toList();
        return page(call, 200, names, null);
    }

    private ApiResponse plan(Call call, Map<String, String> fields) {
        List<String> names = names(fields);
        PlanView plan = problem(call, names).isEmpty()
                ? api.send(
                        call,
                        "planPartition",
                        PlanView.class,
                        Map.of("partition", call.path("partition")),
                        api.json(new PlanDocument(names)))
                : null;
        return page(call, 200, names, plan);
    }

    private ApiResponse drain(Call call, Map<String, String> fields) {
        List<String> names = names(fields);
        if (!problem(call, names).isEmpty()) {
            return page(call, 422, names, null);
        }
        String partition = call.path("partition");
        for (String name : names) {
            api.change(call, "takeNodeOffline", Map.of("partition", partition, "node", name), Map.of());
        }
        return PageAnswers.redirect(Links.with(Links.nodes(partition), Map.of("state", "offline")));
    }

    private static List<String> names(Map<String, String> fields) {
        return Arrays.stream(fields.getOrDefault("nodes", "").split("\\R"))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    private List<NodeView> nodes(Call call) {
        List<?> nodes = api.get(call, "listNodes", List.class, Map.of("partition", call.path("partition")));
        return nodes.stream().map(NodeView.class::cast).toList();
    }

    /** Returns what is wrong with these names; empty if nothing is. */
    private String problem(Call call, List<String> names) {
        if (names.isEmpty()) {
            return "Enter the name of a node.";
        }
        List<String> unknown = new ArrayList<>(names);
        unknown.removeAll(nodes(call).stream().map(NodeView::name).collect(Collectors.toSet()));
        return unknown.isEmpty()
                ? ""
                : "Unknown nodes: " + String.join(", ", unknown.subList(0, Math.min(5, unknown.size())));
    }

    private ApiResponse page(Call call, int status, List<String> names, @Nullable PlanView plan) {
        String partition = call.path("partition");
        Map<String, NodeView> byName = new LinkedHashMap<>();
        nodes(call).forEach(node -> byName.put(node.name(), node));
        List<NodeView> known =
                names.stream().filter(byName::containsKey).map(byName::get).toList();
        Shell shell = shells.form(call, "Drain nodes", Shell.Section.NODES, partition);
        Model model = new Model(
                partition,
                String.join("\n", names),
                known.size(),
                known.stream().mapToLong(NodeView::tasks).sum(),
                names.isEmpty() ? "" : problem(call, names),
                plan);
        return PageAnswers.page(status, templates.render("drain", shell, model));
    }
}
