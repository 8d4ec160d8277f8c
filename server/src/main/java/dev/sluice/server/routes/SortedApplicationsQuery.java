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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The first applications that match a filter, in an order other than that of submission. Visits all applications of the
 * leaf queue of the filter, otherwise all of the partition, and remembers only as many as it returns.
 */
final class SortedApplicationsQuery implements IncrementalQuery<ApplicationPage> {

    private final String partitionName;
    private final ApplicationFilter filter;
    private final ApplicationSort sort;
    private final int limit;

    /** The first applications so far, the last one first. */
    private final PriorityQueue<ApplicationSort.Entry> last = new PriorityQueue<>(ApplicationSort.ORDER.reversed());

    private final List<ApplicationView> views = new ArrayList<>();
    private @Nullable Deque<ApplicationSort.Entry> first;
    private @Nullable Partition partition;
    private @Nullable Application position;

    /** @param limit the maximum number of applications */
    SortedApplicationsQuery(String partitionName, ApplicationFilter filter, ApplicationSort sort, int limit) {
        this.partitionName = partitionName;
        this.filter = filter;
        this.sort = sort;
        this.limit = limit;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition current = Lookup.requireSame(context.state(), partitionName, partition);
        if (partition == null) {
            partition = current;
            checkQueue(current);
        }
        while (budget.take()) {
            Deque<ApplicationSort.Entry> sorted = first;
            if (sorted == null) {
                visit(current, budget);
            } else if (sorted.isEmpty()) {
                return true;
            } else {
                Application application = sorted.removeLast().application();
                if (!application.isForgotten()) {
                    views.add(Views.application(current, application, null));
                }
            }
        }
        return false;
    }

    private void checkQueue(Partition current) {
        String queue = filter.queue();
        if (queue != null) {
            Lookup.queue(current, queue);
        }
        if (sort == ApplicationSort.TRIED
                && (queue == null || !Lookup.queue(current, queue).isLeaf())) {
            throw ProblemException.of(
                    ProblemKind.INVALID,
                    "sort=tried needs the parameter queue with the path of a leaf queue: others order their children,"
                            + " not applications");
        }
    }

    private void visit(Partition current, StepBudget budget) {
        Application application = filter.next(current, position);
        if (application == null) {
            Deque<ApplicationSort.Entry> sorted = new ArrayDeque<>();
            while (!last.isEmpty()) {
                sorted.addLast(last.remove());
            }
            first = sorted;
            return;
        }
        position = application;
        ApplicationSort.Entry entry = filter.matches(application) ? sort.entry(application, current, budget) : null;
        if (entry != null && (last.size() < limit || ApplicationSort.ORDER.compare(entry, last.element()) < 0)) {
            last.add(entry);
            if (last.size() > limit) {
                last.remove();
            }
        }
    }

    @Override
    public ApplicationPage answer() {
        return new ApplicationPage(views, null);
    }
}
