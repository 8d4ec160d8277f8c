package dev.sluice.server.page;

import dev.sluice.server.api.HealthView;
import dev.sluice.server.api.NodeView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.DueResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The overview: what is used and waiting in each partition, and what needs attention. */
public final class OverviewPage {

    /** Maximum number of queues of a partition. */
    private static final int QUEUES_MAX = 20;

    private static final String DETAILS = Links.ROOT + "/details";

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;
    private final UsageHistory history;
    private final StarvedQueues starved;
    private final StuckApplications stuck;

    /**
     * What the page shows.
     *
     * @param details the address of what is loaded after the page
     */
    public record Model(HealthView health, List<PartitionFigures> partitions, List<Note> notes, String details) {}

    /**
     * A partition.
     *
     * @param resources what is used of each resource type
     * @param queues the children of root, the first 20
     */
    public record PartitionFigures(PartitionView partition, List<ResourceRow> resources, List<QueueTree.Row> queues) {}

    /**
     * What takes longer to find out, and is therefore loaded after the page.
     *
     * @param period the period of the charts
     * @param address the address of this
     */
    public record Details(List<PartitionDetails> partitions, List<Note> notes, UsagePeriod period, String address) {}

    /**
     * What takes longer to find out about a partition.
     *
     * @param charts what was used, waited and was due
     */
    public record PartitionDetails(String partition, List<UsageChart> charts) {}

    /** Something that needs attention, and the page that tells more. */
    public record Note(String text, String link) {}

    OverviewPage(
            ApiCalls api,
            PageRoutes pages,
            Templates templates,
            Shells shells,
            UsageHistory history,
            StarvedQueues starved,
            StuckApplications stuck) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
        this.history = history;
        this.starved = starved;
        this.stuck = stuck;
    }

    List<Route> routes() {
        Map<String, String> parameters = Map.of("period", "hour, day, week or month, for which usage is drawn.");
        return List.of(
                pages.page("", "pageOverview", "listPartitions", parameters, this::show),
                pages.page("/details", "pageOverviewDetails", "getUsage", parameters, this::details));
    }

    /** Returns the address with the period of a call, which is the last hour unless another one was chosen. */
    private static String withPeriod(Call call, String address) {
        UsagePeriod period = UsagePeriod.named(call.query("period"));
        return Links.with(address, Map.of("period", period == UsagePeriod.HOUR ? "" : period.wireName()));
    }

    private ApiResponse show(Call call) {
        try {
            return whole(call);
        } catch (ProblemException problem) {
            HealthView health = api.get(call, "getHealth", HealthView.class, Map.of());
            if (problem.kind() != ProblemKind.UNAVAILABLE || health.status().equals("up")) {
                throw problem;
            }
            Shell shell = shells.withoutState(call, "Overview", Shell.Section.OVERVIEW, Links.ROOT);
            return PageAnswers.page(200, templates.render("stalled", shell, health));
        }
    }

    private ApiResponse whole(Call call) {
        Shell shell = shells.live(call, "Overview", Shell.Section.OVERVIEW, "", withPeriod(call, Links.ROOT));
        HealthView health = api.get(call, "getHealth", HealthView.class, Map.of());
        List<Note> notes = new ArrayList<>();
        if (!health.status().equals("up")) {
            notes.add(new Note(
                    "The server is " + health.status() + (health.detail().isEmpty() ? "" : ": " + health.detail()),
                    Links.ROOT + "#server"));
        }
        List<PartitionFigures> figures = new ArrayList<>();
        for (PartitionView partition : api.list(call, "listPartitions", PartitionView.class, Map.of())) {
            Map<String, String> named = Map.of("partition", partition.name());
            List<QueueView> queues = api.list(call, "listQueues", QueueView.class, named);
            QueueView root = queues.get(0);
            figures.add(new PartitionFigures(
                    partition,
                    ResourceRow.of(
                            partition.allocated(),
                            DueResources.sum(queues),
                            root.max(),
                            partition.capacity(),
                            root.pending()),
                    QueueTree.children(queues, root.path(), partition, QUEUES_MAX)));
            addNodes(call, notes, partition);
        }
        return PageAnswers.page(
                200, templates.render("overview", shell, new Model(health, figures, notes, withPeriod(call, DETAILS))));
    }

    private ApiResponse details(Call call) {
        Shell shell = shells.still(call, "Details", Shell.Section.OVERVIEW, "");
        UsagePeriod period = UsagePeriod.named(call.query("period"));
        List<PartitionDetails> partitions = new ArrayList<>();
        List<Note> notes = new ArrayList<>();
        for (PartitionView partition : api.list(call, "listPartitions", PartitionView.class, Map.of())) {
            notes.addAll(starved.notes(call, partition, shell.now()));
            notes.addAll(stuck.notes(call, partition.name()));
            partitions.add(new PartitionDetails(
                    partition.name(),
                    history.charts(call, partition.name(), "", partition.capacity(), period, shell.now())));
        }
        return PageAnswers.page(
                200,
                templates.render("details", shell, new Details(partitions, notes, period, withPeriod(call, DETAILS))));
    }

    private void addNodes(Call call, List<Note> notes, PartitionView partition) {
        if (partition.nodes() == 0) {
            notes.add(new Note(
                    "Partition " + partition.name() + " has no nodes, so nothing can start",
                    Links.nodes(partition.name())));
        }
        if (partition.ready() == partition.nodes()) {
            return;
        }
        for (String state : List.of("lost", "flaky", "suspended", "offline")) {
            List<NodeView> found =
                    api.list(call, "listNodes", NodeView.class, Map.of("partition", partition.name(), "state", state));
            if (found.size() == 1) {
                notes.add(new Note(
                        "Node " + found.get(0).name() + " is " + state,
                        Links.node(partition.name(), found.get(0).name())));
            } else if (!found.isEmpty()) {
                notes.add(new Note(
                        Figures.count(found.size()) + " nodes are " + state,
                        Links.with(Links.nodes(partition.name()), Map.of("state", state))));
            }
        }
    }
}
