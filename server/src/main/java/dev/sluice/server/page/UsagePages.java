package dev.sluice.server.page;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.UsageReport;
import dev.sluice.server.api.UsageView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Route;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** What a partition used in a period: over time, and by queue, user, application or node. */
public final class UsagePages {

    private static final int ROWS_MAX = 100;

    /** What usage can be grouped by. */
    private static final List<String> DIMENSIONS = List.of("queue", "user", "application", "node");

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;
    private final UsageHistory history;

    /**
     * What the page shows.
     *
     * @param rows the groups that used the most, the first 100
     */
    public record Model(
            String partition,
            UsagePeriod period,
            String by,
            List<UsageChart> charts,
            List<UsageView> rows,
            int groups,
            UsageView total) {

        /** Returns what usage can be grouped by. */
        public List<String> dimensions() {
            return DIMENSIONS;
        }

        /** Returns the resource types that were used. */
        public List<String> types() {
            return total.resourceHours().keySet().stream().sorted().toList();
        }

        /** Returns the name of a group. */
        public String name(UsageView row) {
            String name = UsageTable.name(row, by);
            return name.isEmpty() ? "–" : name;
        }
    }

    UsagePages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells, UsageHistory history) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
        this.history = history;
    }

    List<Route> routes() {
        Map<String, String> query = Map.of(
                "period", "hour, day, week or month.",
                "by", "What usage is grouped by: queue, user, application or node.");
        return List.of(
                pages.page("/partitions/{partition}/usage", "pageUsage", "getUsage", query, this::show),
                pages.page("/partitions/{partition}/usage/table", "pageUsageTable", "getUsage", query, this::table));
    }

    private static String by(Call call) {
        String asked = call.query("by");
        return asked != null && DIMENSIONS.contains(asked) ? asked : DIMENSIONS.get(0);
    }

    private UsageReport report(Call call, String partition, UsagePeriod period, String by, Instant now) {
        List<UsagePeriod.Step> steps = period.steps(now);
        return api.recent(
                "usage of " + partition + " in " + period + " by " + by,
                call,
                "getUsage",
                UsageReport.class,
                Map.of(
                        "partition",
                        partition,
                        "by",
                        by,
                        "from",
                        steps.get(0).from().toString(),
                        "to",
                        steps.get(steps.size() - 1).to().toString()));
    }

    private ApiResponse table(Call call) {
        PartitionView partition =
                api.get(call, "getPartition", PartitionView.class, Map.of("partition", call.path("partition")));
        UsagePeriod period = UsagePeriod.named(call.query("period"));
        String by = by(call);
        UsageReport report = report(call, partition.name(), period, by, shells.now());
        return PageAnswers.table(
                UsageTable.csv(report, by), "usage-" + partition.name() + "-" + by + "-" + period.wireName() + ".csv");
    }

    private ApiResponse show(Call call) {
        PartitionView partition =
                api.shared(call, "getPartition", PartitionView.class, Map.of("partition", call.path("partition")));
        UsagePeriod period = UsagePeriod.named(call.query("period"));
        String by = by(call);
        Shell shell = shells.still(call, "Usage", Shell.Section.USAGE, partition.name());
        UsageReport report = report(call, partition.name(), period, by, shell.now());
        List<UsageView> rows = report.items().stream()
                .sorted(Comparator.comparing(UsageView::runHours).reversed())
                .limit(ROWS_MAX)
                .toList();
        Model model = new Model(
                partition.name(),
                period,
                by,
                history.charts(call, partition.name(), "", partition.capacity(), period, shell.now()),
                rows,
                report.items().size(),
                report.total());
        return PageAnswers.page(200, templates.render("usage", shell, model));
    }
}
