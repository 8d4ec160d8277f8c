package dev.sluice.server.routes;

import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.UsageQuery;
import dev.sluice.server.api.UsageReport;
import dev.sluice.server.api.UsageView;
import dev.sluice.server.api.WaitSummary;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import dev.sluice.server.usage.RunningRuns;
import dev.sluice.server.usage.RunningRunsQueries;
import dev.sluice.server.usage.RunningRunsQuery;
import dev.sluice.server.usage.UsageTally;
import dev.sluice.server.usage.UsageTally.Dimension;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The route of usage. */
public final class UsageRoutes {

    /** The maximum number of groups in a report. */
    static final int GROUPS_MAX = 100_000;

    private static final BigDecimal NANOS_PER_HOUR = BigDecimal.valueOf(3_600_000_000_000L);
    private static final BigDecimal CORE = BigDecimal.valueOf(1000);

    private final Requests requests;
    private final JournalStore store;
    private final RunningRunsQueries running;

    /** @param running query the runs that are not in the history yet */
    public UsageRoutes(Requests requests, JournalStore store, RunningRunsQueries running) {
        this.requests = requests;
        this.store = store;
        this.running = running;
    }

    public List<Route> routes() {
        return List.of(Route.get("/history/usage")
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
                .handledBy(this::report));
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
        UsageTally tally = new UsageTally(List.copyOf(by), from, to, GROUPS_MAX);
        try {
            store.usage(
                    new UsageQuery(partitionName, from, to, allocated.last(), by.contains(Dimension.NODE)), tally::add);
            tally.add(allocated);
        } catch (StoreException e) {
            throw FinishedApplications.unreadable(e);
        } catch (UsageTally.TooManyGroupsException e) {
            throw ProblemException.of(
                    ProblemKind.INVALID, e.getMessage() + ": choose fewer dimensions or a shorter interval");
        }
        Collection<UsageTally.Group> groups = tally.groups();
        List<Dimension> order = List.copyOf(by);
        return ApiResponse.ok(new UsageReport(
                partitionName,
                from,
                to,
                order.stream().map(UsageRoutes::word).toList(),
                groups.stream().map(group -> view(group, order)).toList(),
                view(UsageTally.total(groups), List.of())));
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
        Map<String, Double> hours = new LinkedHashMap<>();
        group.amounts().forEach((type, amount) -> hours.put(type, hours(amount, type)));
        return new UsageView(
                key(group, by, Dimension.QUEUE),
                key(group, by, Dimension.USER),
                key(group, by, Dimension.APPLICATION),
                key(group, by, Dimension.NODE),
                group.tasks(),
                group.runs(),
                group.failures(),
                group.running(),
                hours(group.runNanos(), ""),
                hours,
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

    private static double hours(BigInteger amountNanos, String type) {
        BigDecimal hours = new BigDecimal(amountNanos).divide(NANOS_PER_HOUR, MathContext.DECIMAL128);
        return (type.equals(ResourceTypes.VCORE) ? hours.divide(CORE, MathContext.DECIMAL128) : hours).doubleValue();
    }
}
