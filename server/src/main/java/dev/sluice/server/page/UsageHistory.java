package dev.sluice.server.page;

import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.UsageReport;
import dev.sluice.server.route.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a partition used over time, from its history. The usage of a step that has passed does not change, so it is
 * remembered; that of the current one is up to 30 s old.
 */
final class UsageHistory {

    private static final int REMEMBERED_MAX = 2_000;

    /** Maximum number of charts. */
    private static final int TYPES_MAX = 4;

    private final ApiCalls api;
    private final Map<StepKey, UsageReport> passed = new LinkedHashMap<>();

    UsageHistory(ApiCalls api) {
        this.api = api;
    }

    private record StepKey(String partition, UsagePeriod.Step step) {}

    /** Returns a chart of each resource type, those of which the largest part was used first. */
    List<UsageChart> charts(Call call, PartitionView partition, UsagePeriod period, Instant now) {
        List<UsageReport> reports = new ArrayList<>();
        TreeSet<String> types = new TreeSet<>(partition.capacity().keySet());
        for (UsagePeriod.Step step : period.steps(now)) {
            UsageReport report = report(call, partition.name(), step, now);
            reports.add(report);
            types.addAll(report.total().resourceHours().keySet());
        }
        return types.stream()
                .map(type -> UsageChart.of(
                        type,
                        reports.stream().map(report -> point(report, type)).toList(),
                        partition.capacity().getOrDefault(type, 0L)))
                .sorted(UsageChart.FULLEST_FIRST)
                .limit(TYPES_MAX)
                .toList();
    }

    private UsageReport report(Call call, String partition, UsagePeriod.Step step, Instant now) {
        StepKey key = new StepKey(partition, step);
        synchronized (passed) {
            UsageReport known = passed.get(key);
            if (known != null) {
                return known;
            }
        }
        Map<String, String> asked = Map.of(
                "partition",
                partition,
                "from",
                step.from().toString(),
                "to",
                step.to().toString());
        boolean isPassed = !step.to().isAfter(now);
        UsageReport report = isPassed
                ? api.get(call, "getUsage", UsageReport.class, asked)
                : api.recent(call, "getUsage", UsageReport.class, asked);
        if (isPassed) {
            synchronized (passed) {
                passed.put(key, report);
                if (passed.size() > REMEMBERED_MAX) {
                    passed.remove(passed.keySet().iterator().next());
                }
            }
        }
        return report;
    }

    private static UsageChart.Point point(UsageReport report, String type) {
        double hours = Math.max(1, Duration.between(report.from(), report.to()).toMillis()) / 3_600_000.0;
        double amount = report.total().resourceHours().getOrDefault(type, 0.0) / hours;
        return new UsageChart.Point(
                report.from(), Math.round(type.equals(ResourceTypes.VCORE) ? amount * 1000 : amount));
    }
}
