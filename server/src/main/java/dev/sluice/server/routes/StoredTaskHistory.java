package dev.sluice.server.routes;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.journal.HistoryRecord.Beneficiary;
import dev.sluice.runtime.journal.HistoryRecord.FinishedApplication;
import dev.sluice.runtime.journal.HistoryRecord.TaskEnd;
import dev.sluice.runtime.journal.JournalStore;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.journal.TaskEndQuery;
import dev.sluice.server.api.BeneficiaryView;
import dev.sluice.server.api.EfficiencyView;
import dev.sluice.server.api.TaskView;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.usage.Efficiency;
import dev.sluice.server.view.Views;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads ended task runs from the store. */
public final class StoredTaskHistory implements TaskHistory {

    /** Reading so many takes some milliseconds. */
    private static final int COMPARED_MAX = 1000;

    private final JournalStore store;
    private final FinishedApplications applications;

    public StoredTaskHistory(JournalStore store) {
        this.store = store;
        this.applications = new FinishedApplications(store);
    }

    @Override
    public EndedTasks ended(
            String partition,
            String application,
            Instant submitted,
            @Nullable TaskState state,
            long before,
            int limit) {
        List<TaskOutcome> outcomes = state == null ? List.of() : outcomes(state);
        if (state != null && outcomes.isEmpty()) {
            return new EndedTasks(List.of(), null);
        }
        List<TaskEnd> ends =
                find(new TaskEndQuery(partition, application, submitted, null, outcomes, before, limit + 1));
        boolean more = ends.size() > limit;
        List<TaskView> views = new ArrayList<>();
        ends.subList(0, Math.min(limit, ends.size())).forEach(end -> views.add(view(end, end.task())));
        Long next = !more
                ? null
                : limit == 0
                        ? Long.valueOf(before)
                        : Long.valueOf(ends.get(limit - 1).sequence());
        return new EndedTasks(views, next);
    }

    @Override
    public EfficiencyView efficiency(String partition, String application, Instant submitted) {
        return Efficiency.of(find(
                new TaskEndQuery(partition, application, submitted, null, List.of(), Long.MAX_VALUE, COMPARED_MAX)));
    }

    @Override
    public @Nullable FinishedApplication latest(String partition, String application) {
        return applications.latest(partition, application);
    }

    @Override
    public TaskView lastRun(String partition, String application, Instant submitted, String task) {
        TaskEnd last = last(partition, application, submitted, task);
        if (last != null && !last.again()) {
            return view(last, task);
        }
        // tasks dropped before they ran may have one record per group
        int dash = task.lastIndexOf('-');
        TaskEnd dropped = dash < 1 ? null : last(partition, application, submitted, task.substring(0, dash));
        if (dropped != null && dropped.attempt() == 0) {
            return view(dropped, task);
        }
        if (last == null) {
            throw ProblemException.of(ProblemKind.NOT_FOUND, "no recorded runs of task " + task);
        }
        return view(last, task);
    }

    private @Nullable TaskEnd last(String partition, String application, Instant submitted, String task) {
        List<TaskEnd> ends =
                find(new TaskEndQuery(partition, application, submitted, task, List.of(), Long.MAX_VALUE, 1));
        return ends.isEmpty() ? null : ends.get(0);
    }

    private List<TaskEnd> find(TaskEndQuery query) {
        try {
            return store.taskEnds(query);
        } catch (StoreException e) {
            throw FinishedApplications.unreadable(e);
        }
    }

    private static List<TaskOutcome> outcomes(TaskState state) {
        List<TaskOutcome> outcomes = new ArrayList<>();
        for (TaskOutcome outcome : TaskOutcome.values()) {
            if (state(outcome) == state) {
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    private static TaskState state(TaskOutcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> TaskState.SUCCEEDED;
            case FAILED, TIMED_OUT, LOST -> TaskState.FAILED;
            case STOPPED -> TaskState.STOPPED;
        };
    }

    private static TaskView view(TaskEnd end, String task) {
        StopReason stopReason = end.stopReason();
        Beneficiary beneficiary = end.beneficiary();
        return new TaskView(
                task,
                state(end.outcome()).wireName(),
                end.attempt(),
                end.node(),
                end.placed(),
                end.started(),
                end.ended(),
                end.outcome().wireName(),
                end.exitCode(),
                end.detail().isEmpty() ? null : end.detail(),
                stopReason == null ? null : stopReason.wireName(),
                beneficiary == null
                        ? null
                        : new BeneficiaryView(beneficiary.queue(), beneficiary.application(), beneficiary.task()),
                end.resources(),
                Views.cpuSeconds(end.measured()),
                null,
                end.measured().memoryPeak());
    }
}
