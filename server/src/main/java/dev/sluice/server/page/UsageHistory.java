package dev.sluice.server.page;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.DemandStepView;
import dev.sluice.server.api.DemandStepsView;
import dev.sluice.server.api.UsageStepView;
import dev.sluice.server.api.UsageStepsView;
import dev.sluice.server.route.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a partition or a queue used, what waited and what was due over time, up to 30 s ago, or 2 minutes if nobody has
 * looked meanwhile.
 */
final class UsageHistory {

    /** Maximum number of charts. */
    private static final int TYPES_MAX = 4;

    private final ApiCalls api;

    UsageHistory(ApiCalls api) {
        this.api = api;
    }

    /**
     * Returns a chart of each resource type, those of which the largest part was used first.
     *
     * @param queue the path of a queue; empty for the whole partition
     * @param capacity what can be used of each resource type
     */
    List<UsageChart> charts(
            Call call, String partition, String queue, Map<String, Long> capacity, UsagePeriod period, Instant now) {
        List<UsagePeriod.Step> steps = period.steps(now);
        Map<String, String> asked = new HashMap<>(Map.of(
                "partition",
                partition,
                "from",
                steps.get(0).from().toString(),
                "to",
                steps.get(steps.size() - 1).to().toString(),
                "step",
                period.step().toSeconds() + "s"));
        if (!queue.isEmpty()) {
            asked.put("queue", queue);
        }
        List<UsageStepView> used = api.recent(
                        "steps of " + partition + " " + queue + " in " + period,
                        call,
                        "getUsageSteps",
                        UsageStepsView.class,
                        asked)
                .items();
        List<DemandStepView> demand = api.recent(
                        "demand of " + partition + " " + queue + " in " + period,
                        call,
                        "getDemandSteps",
                        DemandStepsView.class,
                        asked)
                .items();
        Map<Instant, DemandStepView> demandFrom =
                demand.stream().collect(Collectors.toMap(DemandStepView::from, Function.identity()));
        TreeSet<String> types = new TreeSet<>(capacity.keySet());
        used.forEach(step -> types.addAll(step.resourceHours().keySet()));
        demand.forEach(step -> types.addAll(step.pending().keySet()));
        return types.stream()
                .map(type -> UsageChart.of(
                        type,
                        used.stream()
                                .map(step -> point(step, demandFrom.get(step.from()), type))
                                .toList(),
                        capacity.getOrDefault(type, 0L)))
                .sorted(UsageChart.FULLEST_FIRST)
                .limit(TYPES_MAX)
                .toList();
    }

    private static UsageChart.Point point(UsageStepView step, @Nullable DemandStepView demand, String type) {
        double hours = Math.max(1, Duration.between(step.from(), step.to()).toMillis()) / 3_600_000.0;
        double amount = step.resourceHours().getOrDefault(type, 0.0) / hours;
        return new UsageChart.Point(
                step.from(),
                Math.round(type.equals(ResourceTypes.VCORE) ? amount * 1000 : amount),
                demand == null ? 0 : demand.pending().getOrDefault(type, 0L),
                demand == null ? 0 : demand.due().getOrDefault(type, 0L));
    }
}
