package dev.sluice.server.routes;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.UsageReport;
import dev.sluice.server.api.UsageStepView;
import dev.sluice.server.api.UsageStepsView;
import dev.sluice.server.api.UsageView;
import dev.sluice.server.api.WaitSummary;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.usage.ResourceHours;
import dev.sluice.server.usage.RunningRuns;
import dev.sluice.server.usage.RunningRunsQueries;
import dev.sluice.server.usage.RunningRunsQuery;
import dev.sluice.server.usage.UsageReports;
import dev.sluice.server.usage.UsageSteps;
import dev.sluice.server.usage.UsageTally;
import dev.sluice.server.usage.UsageTally.Dimension;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of usage. */
public final class UsageRoutes {

    /** The maximum number of groups in a report. */
    static final int GROUPS_MAX = 100_000;

    private final Requests requests;
    private final UsageReports reports;
    private final UsageSteps steps;
    private final RunningRunsQueries running;

    /** @param running query the runs that are not in the history yet */
    public UsageRoutes(Requests requests, JournalStore store, RunningRunsQueries running) {
        this.requests = requests;
        this.reports = new UsageReports(store);
        this.steps = new UsageSteps(store);
        this.running = running;
    }

    public List<Route> routes() {
        return List.of(usage(), usageSteps());
    }

    private Route usage() {
        return Route.get("/history/usage")
                .named("getUsage", "history")
                .action("reading usage")
                .role(Role.VIEWER)
                .summary(
                        "Sums what task runs used within an interval; running tasks count up to now. Runs are in the history as long as serve --keep-history says.")
                .query(
                        "partition",
                        Parameter.Type.TEXT,
                        "Partition; defaults to " + PartitionConfiguration.DEFAULT_NAME + ".")
                .query(
                        "by",
                        Parameter.Type.TEXT,
                        "What to group by: any of queue, user, application and node, separated by commas. Defaults to"
                                + " a single group.")
                .query("from", Parameter.Type.TEXT, "Beginning, as an instant; defaults to 1970-01-01T00:00:00Z.")
                .query("to", Parameter.Type.TEXT, "End, as an instant; defaults to now.")
                .response(200, UsageReport.class, "The usage.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                .handledBy(this::report);
    }

    private Route usageSteps() {
        return Route.get("/history/usage/steps")
                .named("getUsageSteps", "history")
                .action("reading usage")
                .role(Role.VIEWER)
                .summary("Sums what task runs used in each step of an interval, in all queues or one of them.")
                .query(
                        "partition",
                        Parameter.Type.TEXT,
                        "Partition; defaults to " + PartitionConfiguration.DEFAULT_NAME + ".")
                .query("queue", Parameter.Type.TEXT, "Only runs in this queue or its descendants.")
                .query("step", Parameter.Type.TEXT, HistorySteps.STEP_TEXT)
                .query("from", Parameter.Type.TEXT, HistorySteps.FROM_TEXT)
                .query("to", Parameter.Type.TEXT, HistorySteps.TO_TEXT)
                .response(200, UsageStepsView.class, "The usage of each step.")
                .problems(ProblemKind.NOT_FOUND, ProblemKind.INVALID)
                .handledBy(this::steps);
    }

    private ApiResponse report(Call call) {
        String partitionName = HistoryRoutes.partition(call);
        Set<Dimension> by = dimensions(call.query("by"));
        Instant from = HistoryRoutes.instant(call, "from", Instant.EPOCH);
        // history and state are read as of the same event, so each run is in exactly one of them
        RunningRuns allocated = running(call, partitionName);
        Instant end = HistoryRoutes.instant(call, "to", allocated.at());
        Instant to = end.isAfter(allocated.at()) ? allocated.at() : end;
        if (!from.isBefore(end)) {
            throw ProblemException.of(ProblemKind.INVALID, "from must be before to: " + from + " is not before " + end);
        }
        List<Dimension> order = List.copyOf(by);
        Collection<UsageTally.Group> groups;
        try {
            groups = reports.groups(partitionName, order, from, to, allocated, GROUPS_MAX);
        } catch (StoreException e) {
            throw FinishedApplications.unreadable(e);
        } catch (UsageTally.TooManyGroupsException e) {
            throw ProblemException.of(
                    ProblemKind.INVALID, e.getMessage() + ": choose fewer dimensions or a shorter interval");
        }
        return ApiResponse.ok(new UsageReport(
                partitionName,
                from,
                to,
                order.stream().map(UsageRoutes::word).toList(),
                groups.stream().map(group -> view(group, order)).toList(),
                view(UsageTally.total(groups), List.of())));
    }

    private ApiResponse steps(Call call) {
        String partition = HistoryRoutes.partition(call);
        RunningRuns allocated = running(call, partition);
        HistorySteps asked = HistorySteps.of(call, allocated.at());
        String queue = call.query("queue");
        String path = queue == null || queue.isBlank() ? null : queue.strip().toLowerCase(Locale.ROOT);
        try {
            return ApiResponse.ok(new UsageStepsView(
                    partition,
                    path,
                    steps.steps(partition, asked.from(), asked.step(), asked.count(), allocated).stream()
                            .map(each -> view(each, path))
                            .toList()));
        } catch (StoreException e) {
            throw FinishedApplications.unreadable(e);
        }
    }

    private static UsageStepView view(UsageSteps.Step step, @Nullable String queue) {
        ResourceHours hours = step.sum(queue);
        return new UsageStepView(step.from(), step.to(), hours.runs(), hours.resources());
    }

    private RunningRuns running(Call call, String partition) {
        try (RunningRunsQuery query = running.begin(state -> Lookup.partition(state, partition))) {
            return requests.query(call, query);
        }
    }

    private static Set<Dimension> dimensions(@Nullable String text) {
        Set<Dimension> by = new LinkedHashSet<>();
        if (text != null) {
            for (String word : text.split(",", -1)) {
                if (!by.add(dimension(word.strip()))) {
                    throw ProblemException.of(ProblemKind.INVALID, "duplicate " + word + " in by");
                }
            }
        }
        return by;
    }

    private static Dimension dimension(String word) {
        for (Dimension dimension : Dimension.values()) {
            if (word(dimension).equalsIgnoreCase(word)) {
                return dimension;
            }
        }
        throw ProblemException.of(
                ProblemKind.INVALID, "by must be any of queue, user, application and node, not " + word);
    }

    private static String word(Dimension dimension) {
        return dimension.name().toLowerCase(Locale.ROOT);
    }

    private static UsageView view(UsageTally.Group group, List<Dimension> by) {
        ResourceHours hours = ResourceHours.of(group);
        return new UsageView(
                key(group, by, Dimension.QUEUE),
                key(group, by, Dimension.USER),
                key(group, by, Dimension.APPLICATION),
                key(group, by, Dimension.NODE),
                group.tasks(),
                group.runs(),
                group.failures(),
                group.running(),
                hours.runs(),
                hours.resources(),
                ResourceHours.cpu(group),
                ResourceHours.efficiency(group),
                new WaitSummary(
                        group.waits().count(),
                        group.waits().mean(),
                        group.waits().quantile(0.5),
                        group.waits().quantile(0.9)));
    }

    private static @Nullable String key(UsageTally.Group group, List<Dimension> by, Dimension dimension) {
        int index = by.indexOf(dimension);
        return index < 0 ? null : group.key().get(index);
    }
}
