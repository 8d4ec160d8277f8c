package dev.sluice.server.page;

import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Route;
import dev.sluice.server.view.DueResources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tree of queues, and one queue. */
public final class QueuePages {

    private static final String PATH = "/partitions/{partition}/queues";
    private static final List<String> PARAMETERS = List.of("q", "sort", "toggle");
    private static final String APPLICATIONS_MAX = "50";
    private static final int CHILDREN_MAX = 100;
    private static final ApplicationPage NO_APPLICATIONS = new ApplicationPage(List.of(), null);

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;
    private final UsageHistory history;

    /**
     * What the tree shows.
     *
     * @param query the parameters of the page
     * @param rows the rows from {@code from} on
     * @param total the number of queues
     */
    public record TreeModel(
            String partition, Map<String, String> query, List<QueueTree.Row> rows, Paging paging, int total) {}

    /**
     * What the page of a queue shows.
     *
     * @param words the policy in words
     * @param due what the amounts are called that the queue is due
     * @param charts what the queue used in the period
     * @param children its children, in the order of the tree
     * @param tried its applications with pending tasks, in the order in which they are tried; empty for parents
     * @param applications its unfinished applications, in submission order
     * @param more whether there are more of them
     */
    public record QueueModel(
            String partition,
            QueueView queue,
            @Nullable String parent,
            List<String> words,
            List<ResourceRow> resources,
            String due,
            UsagePeriod period,
            List<UsageChart> charts,
            List<QueueTree.Row> children,
            List<ApplicationView> tried,
            List<ApplicationView> applications,
            boolean more) {}

    QueuePages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells, UsageHistory history) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
        this.history = history;
    }

    List<Route> routes() {
        return List.of(
                pages.page(
                        PATH,
                        "pageQueues",
                        "listQueues",
                        Map.of(
                                "q", "Part of the name of queues.",
                                "sort", "Order of siblings: name, used or pending.",
                                "toggle", "Queues that are opened or closed, unlike at first.",
                                "from", "Number of rows before the first one."),
                        this::tree),
                pages.page(
                        PATH + "/{queue}",
                        "pageQueue",
                        "getQueue",
                        Map.of("period", "hour, day, week or month, for which usage is drawn."),
                        this::queue));
    }

    private PartitionView partition(Call call) {
        return api.shared(call, "getPartition", PartitionView.class, Map.of("partition", call.path("partition")));
    }

    private ApiResponse tree(Call call) {
        PartitionView partition = partition(call);
        Map<String, String> query = PageRoutes.given(call, PARAMETERS);
        String address = Links.queues(partition.name());
        Paging from = Paging.of(call, address, query, QueueTree.ROWS_MAX);
        Shell shell = shells.live(call, "Queues", Shell.Section.QUEUES, partition.name(), from.self());
        List<QueueView> queues = api.list(call, "listQueues", QueueView.class, Map.of("partition", partition.name()));
        List<QueueTree.Row> rows = new QueueTree(queues, query).rows(partition);
        return PageAnswers.page(
                200,
                templates.render(
                        "queues",
                        shell,
                        new TreeModel(
                                partition.name(), query, from.shown(rows), from.among(rows.size()), queues.size())));
    }

    private ApiResponse queue(Call call) {
        PartitionView partition = partition(call);
        Map<String, String> named = Map.of("partition", partition.name(), "queue", call.path("queue"));
        UsagePeriod period = UsagePeriod.named(call.query("period"));
        Shell shell = shells.live(
                call,
                call.path("queue"),
                Shell.Section.QUEUES,
                partition.name(),
                Links.with(
                        Links.queue(partition.name(), call.path("queue")),
                        Map.of("period", period == UsagePeriod.HOUR ? "" : period.wireName())));
        QueueView queue = api.shared(call, "getQueue", QueueView.class, named);
        List<QueueView> queues = api.list(call, "listQueues", QueueView.class, Map.of("partition", partition.name()));
        String parentPath = QueueTree.parent(queue.path());
        QueueView parent = queues.stream()
                .filter(each -> each.path().equals(parentPath))
                .findFirst()
                .orElse(null);
        List<QueueView> siblings = queues.stream()
                .filter(each -> QueueTree.parent(each.path()).equals(parentPath)
                        && !each.path().equals(queue.path()))
                .toList();
        ApplicationPage tried = queue.leaf() && queue.pendingTasks() > 0
                ? applications(call, queue, Map.of("sort", "tried"))
                : NO_APPLICATIONS;
        ApplicationPage applications =
                queue.applications() > 0 ? applications(call, queue, Map.of("state", "active")) : NO_APPLICATIONS;
        return PageAnswers.page(
                200,
                templates.render(
                        "queue",
                        shell,
                        new QueueModel(
                                partition.name(),
                                queue,
                                parent == null ? null : parent.path(),
                                PolicyWords.of(queue, parent, siblings, partition),
                                resources(queue, partition),
                                parent == null || parent.policy().equals("fair") ? "Guaranteed" : "Due",
                                period,
                                history.charts(
                                        call,
                                        partition.name(),
                                        queue.path(),
                                        usable(queue, partition),
                                        period,
                                        shell.now()),
                                QueueTree.children(queues, queue.path(), partition, CHILDREN_MAX),
                                tried.items(),
                                applications.items(),
                                applications.next() != null)));
    }

    /** Returns applications of a queue; finding them costs the scheduler a scan, which open pages share. */
    private ApplicationPage applications(Call call, QueueView queue, Map<String, String> parameters) {
        Map<String, String> asked = new HashMap<>(parameters);
        asked.putAll(Map.of("partition", call.path("partition"), "queue", queue.path(), "limit", APPLICATIONS_MAX));
        return api.shared(call, "listApplications", ApplicationPage.class, asked);
    }

    /** Returns the maximum of each resource type that has one, and the capacity of the others. */
    private static Map<String, Long> usable(QueueView queue, PartitionView partition) {
        Map<String, Long> usable = new HashMap<>(partition.capacity());
        queue.max().forEach((type, max) -> usable.merge(type, max, Math::min));
        return usable;
    }

    private static List<ResourceRow> resources(QueueView queue, PartitionView partition) {
        return ResourceRow.of(
                queue.allocated(), DueResources.of(queue), queue.max(), partition.capacity(), queue.pending());
    }
}
