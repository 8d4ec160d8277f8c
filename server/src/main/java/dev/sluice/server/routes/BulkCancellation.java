package dev.sluice.server.routes;

import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.server.api.CancelMatchingResult;
import java.time.Instant;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the applications that match a filter, that the caller may cancel, and that were submitted before the query
 * started, each by its own command. If a later step is refused, those already cancelled stay cancelled; repeating the
 * request cancels the rest.
 */
final class BulkCancellation implements IncrementalQuery<CancelMatchingResult> {

    /** Maximum number of cancellations per request, to bound its duration. */
    static final int CANCELLED_MAX = 10_000;

    private final String partitionName;
    private final ApplicationFilter filter;
    private final String reason;
    private final BiPredicate<Partition, Application> permits;
    private @Nullable Partition partition;
    private @Nullable Application position;
    private @Nullable Instant began;
    private long cancelled;
    private boolean complete;

    /**
     * Creates the cancellation.
     *
     * @param permits whether the caller may cancel an application
     */
    BulkCancellation(
            String partitionName,
            ApplicationFilter filter,
            String reason,
            BiPredicate<Partition, Application> permits) {
        this.partitionName = partitionName;
        this.filter = filter;
        this.reason = reason;
        this.permits = permits;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        Partition current = Lookup.requireSame(context.state(), partitionName, partition);
        String queue = filter.queue();
        if (partition == null && queue != null) {
            Lookup.queue(current, queue);
        }
        partition = current;
        Instant last = began == null ? context.now() : began;
        began = last;
        while (budget.take()) {
            Application application = current.nextApplication(position);
            complete = application == null || application.submitted().isAfter(last);
            if (application == null || complete || cancelled == CANCELLED_MAX) {
                return true;
            }
            position = application;
            if (!application.state().isEnded() && filter.matches(application) && permits.test(current, application)) {
                CommandResult reply =
                        context.handle(new Command.CancelApplication(partitionName, application.id(), reason));
                cancelled += reply.events().isEmpty() ? 0 : 1;
            }
        }
        return false;
    }

    @Override
    public CancelMatchingResult answer() {
        return new CancelMatchingResult(cancelled, complete);
    }
}
