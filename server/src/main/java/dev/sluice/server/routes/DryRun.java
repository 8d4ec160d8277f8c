package dev.sluice.server.routes;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.config.snapshot.Snapshot;
import dev.sluice.config.snapshot.SnapshotLoader;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.Transaction;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.server.api.DryRunView;
import dev.sluice.server.api.SubmissionResult;
import dev.sluice.server.live.LiveSnapshots;
import dev.sluice.server.route.Call;
import dev.sluice.server.view.Reasons;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the scheduler, made from a snapshot, that executes submissions and a cycle on the thread of the caller. The
 * scheduler itself only copies its state, in steps. At most one copy is made at a time.
 */
final class DryRun implements TransactionContext {

    private final Scheduler scheduler;
    private final Instant now;

    private record ApplicationKey(String partition, String id) {}

    private DryRun(Snapshot snapshot, OmittedState omitted) {
        this.scheduler = SnapshotLoader.load(snapshot);
        this.now = snapshot.at();
        omitted.restore(scheduler.state());
    }

    /** Executes the submission of these entries on a copy; returns what the transaction returns. */
    static <T> T perform(
            Call call,
            Requests requests,
            LiveSnapshots snapshots,
            List<ApplicationEntry> entries,
            Transaction<T> transaction) {
        try (LiveSnapshots.SnapshotCapture capture = SnapshotRoutes.begin(snapshots)) {
            return transaction.run(requests.query(call, new CopyQuery(capture, entries)));
        }
    }

    /** Copies the state for the submission of these entries. */
    private static final class CopyQuery implements IncrementalQuery<DryRun> {
        private final LiveSnapshots.SnapshotCapture capture;
        private final List<ApplicationEntry> entries;
        private @Nullable OmittedState omitted;

        CopyQuery(LiveSnapshots.SnapshotCapture capture, List<ApplicationEntry> entries) {
            this.capture = capture;
            this.entries = entries;
        }

        @Override
        public boolean step(TransactionContext context, StepBudget budget) {
            if (!capture.step(context, budget)) {
                return false;
            }
            omitted = OmittedState.of(context.state(), entries);
            return true;
        }

        @Override
        public DryRun answer() {
            return new DryRun(capture.answer(), Objects.requireNonNull(omitted));
        }
    }

    /** Runs a cycle of the partitions of these results, and adds what it does with accepted applications. */
    static List<SubmissionResult> cycle(TransactionContext copy, List<SubmissionResult> results) {
        Set<String> partitions = new LinkedHashSet<>();
        results.stream().filter(SubmissionResult::accepted).forEach(result -> partitions.add(result.partition()));
        Map<ApplicationKey, Long> starting = new HashMap<>();
        for (String partition : partitions) {
            for (Event event : copy.scheduler().cycle(partition, copy.now())) {
                if (event instanceof TaskEvent.Placed placed) {
                    starting.merge(new ApplicationKey(partition, placed.application()), 1L, Long::sum);
                }
            }
        }
        Map<String, Explainer> explainers = new HashMap<>();
        List<SubmissionResult> all = new ArrayList<>();
        for (SubmissionResult result : results) {
            Partition partition = copy.state().partition(result.partition());
            Application application = partition == null ? null : partition.application(result.id());
            if (!result.accepted() || partition == null || application == null) {
                all.add(result);
                continue;
            }
            Explainer explainer = explainers.computeIfAbsent(result.partition(), name -> new Explainer(partition));
            all.add(result.withDryRun(
                    application.state().wireName(),
                    new DryRunView(
                            starting.getOrDefault(new ApplicationKey(result.partition(), result.id()), 0L),
                            Reasons.views(explainer.explain(application)))));
        }
        return all;
    }

    @Override
    public CommandResult handle(Command command) {
        return scheduler.handle(command, now);
    }

    @Override
    public SchedulerState state() {
        return scheduler.state();
    }

    @Override
    public Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public void addHistoryRecord(HistoryRecord historyRecord) {
        // a copy has no history
    }

    @Override
    public Instant now() {
        return now;
    }
}
