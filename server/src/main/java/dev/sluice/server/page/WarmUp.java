package dev.sluice.server.page;

import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Handler;
import dev.sluice.server.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Renders pages that nobody reads, once after the start: it loads their classes and sums the usage of the past, so that
 * the first readers do not wait for that.
 */
public final class WarmUp {

    private final ApiCalls api;
    private final Map<String, Route> pages = new LinkedHashMap<>();

    /** @param pages the routes of pages */
    WarmUp(ApiCalls api, List<Route> pages) {
        this.api = api;
        pages.forEach(page -> this.pages.put(page.name(), page));
    }

    /** Renders the pages of all partitions. */
    public void run() {
        Call reader = new WarmUpCall(page("pageOverview"), Map.of());
        open("pageOverview", Map.of());
        for (PartitionView partition : api.list(reader, "listPartitions", PartitionView.class, Map.of())) {
            Map<String, String> named = Map.of("partition", partition.name());
            open("pageQueues", named);
            open("pageQueue", with(named, "queue", "root"));
            open("pageApplications", named);
            open("pageNodes", named);
            open("pageFinished", named);
            ApplicationPage first =
                    api.shared(reader, "listApplications", ApplicationPage.class, with(named, "limit", "1"));
            first.items().forEach(application -> open("pageApplication", with(named, "application", application.id())));
            for (UsagePeriod period : UsagePeriod.values()) {
                open("pageUsage", with(named, "period", period.wireName()));
            }
        }
        open("pageConfiguration", Map.of());
        open("pageOverviewDetails", Map.of());
    }

    private static Map<String, String> with(Map<String, String> parameters, String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        all.put(name, value);
        return all;
    }

    private Route page(String name) {
        Route page = pages.get(name);
        if (page == null) {
            throw new IllegalArgumentException("unknown page " + name);
        }
        return page;
    }

    private void open(String name, Map<String, String> parameters) {
        Route page = page(name);
        ((Handler.Blocking) page.handler()).handle(new WarmUpCall(page, parameters));
    }
}
