package dev.sluice.server.routes;

import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.view.Views;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of the applications that match a filter, in submission order. The position is the last application scanned. An
 * application that is resubmitted between two steps is listed once, as the later one.
 */
final class ApplicationListQuery implements IncrementalQuery<ApplicationPage> {

    private final String partitionName;
    private final ApplicationFilter filter;
    private final @Nullable String after;
    private final int limit;
    private final Map<String, ApplicationView> views = new LinkedHashMap<>();
    private @Nullable Partition partition;
    private @Nullable Application position;
    private @Nullable String next;

    /**
     * Creates a query of this partition.
     *
     * @param after the id of an application; only those after it are listed
     * @param limit the maximum number of applications
     */
    ApplicationListQuery(String partitionName, ApplicationFilter filter, @Nullable String after, int limit) {
        this.partitionName = partitionName;
        this.filter = filter;
        this.after = after;
        this.limit = limit;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition current = Lookup.requireSame(context.state(), partitionName, partition);
        if (partition == null) {
            position = after == null ? null : first(current, after);
            partition = current;
        }
        while (budget.take()) {
            Application application = filter.next(current, position);
            if (application == null) {
                String queue = filter.queue();
                if (queue != null && views.isEmpty()) {
                    Lookup.queue(current, queue);
                }
                return true;
            }
            if (filter.matches(application)) {
                views.remove(application.id());
                if (views.size() == limit) {
                    next = lastId();
                    return true;
                }
                views.put(application.id(), Views.application(current, application, null));
            }
            position = application;
        }
        return false;
    }

    private String lastId() {
        String last = "";
        for (String id : views.keySet()) {
            last = id;
        }
        return last;
    }

    private static Application first(Partition partition, String id) {
        Application application = partition.application(id);
        if (application == null) {
            throw ProblemException.of(
                    ProblemKind.NOT_FOUND,
                    "application " + id + " of parameter after not found; start again without after");
        }
        return application;
    }

    @Override
    public ApplicationPage answer() {
        List<ApplicationView> page = new ArrayList<>(views.values());
        return new ApplicationPage(page, next);
    }
}
