package dev.sluice.runtime.local;

import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects the result of every task from the events. */
final class ResultCollector {

    private final Map<ApplicationKey, ApplicationTotals> totals = new LinkedHashMap<>();

    private record ApplicationKey(String partition, String application) {}

    private static final class ApplicationTotals {
        private @Nullable Instant firstPlaced;
        private @Nullable Instant lastEnded;
        private final SortedMap<Integer, Integer> exitCodes = new TreeMap<>();
        private final Map<String, TaskResult> results = new LinkedHashMap<>();
        private final Map<String, Instant> placed = new HashMap<>();
        private @Nullable TaskResult firstFailure;
    }

    /** Updates the results with these events. */
    void collect(List<Event> events, LogLocator log) {
        for (Event event : events) {
            if (event instanceof TaskEvent.Placed placed) {
                ApplicationTotals of = totalsOf(event.partition(), placed.application());
                of.firstPlaced = of.firstPlaced == null ? event.at() : of.firstPlaced;
                of.placed.putIfAbsent(placed.task().id(), event.at());
            } else if (event instanceof TaskEvent.Ended ended) {
                ended(ended, ended.task().id(), log);
            }
        }
    }

    /** Maps tasks to their log files. */
    interface LogLocator {
        Path of(String partition, String application, String taskId);
    }

    private void ended(TaskEvent.Ended ended, String taskId, LogLocator log) {
        ApplicationTotals of = totalsOf(ended.partition(), ended.application());
        of.lastEnded = ended.at();
        Integer exitCode = ended.exitCode();
        if (exitCode != null) {
            of.exitCodes.merge(exitCode, 1, Integer::sum);
        }
        TaskResult former = of.results.remove(taskId);
        TaskResult result = new TaskResult(
                taskId,
                ended.again() ? TaskState.PENDING : stateAfter(ended.outcome()),
                former == null ? 1 : former.attempts() + 1,
                exitCode,
                ended.outcome() == TaskOutcome.TIMED_OUT ? timedOut(ended) : ended.detail(),
                of.placed.getOrDefault(taskId, ended.at()),
                ended.at(),
                log.of(ended.partition(), ended.application(), taskId));
        of.results.put(taskId, result);
        if (result.state() == TaskState.FAILED && of.firstFailure == null) {
            of.firstFailure = result;
        }
    }

    private static String timedOut(TaskEvent.Ended ended) {
        return ended.detail().isEmpty() ? "timed out" : "timed out, " + ended.detail();
    }

    private static TaskState stateAfter(TaskOutcome outcome) {
        return switch (outcome) {
            case SUCCEEDED -> TaskState.SUCCEEDED;
            case FAILED, TIMED_OUT, LOST -> TaskState.FAILED;
            case STOPPED -> TaskState.STOPPED;
        };
    }

    private ApplicationTotals totalsOf(String partition, String application) {
        return totals.computeIfAbsent(new ApplicationKey(partition, application), key -> new ApplicationTotals());
    }

    /** Returns the results of all applications. */
    List<ApplicationResult> results(SchedulerState state) {
        List<ApplicationResult> results = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            for (Application application : partition.applications()) {
                results.add(result(partition, application, totalsOf(partition.name(), application.id())));
            }
        }
        return results;
    }

    private static ApplicationResult result(Partition partition, Application application, ApplicationTotals of) {
        return new ApplicationResult(
                partition.name(),
                application.id(),
                application.hasQueue() ? application.queue().path() : "",
                application.spec().user(),
                application.state(),
                application.stateReason(),
                application.tasks(),
                application.succeeded(),
                application.failed(),
                application.stopped(),
                application.submitted(),
                of.firstPlaced,
                of.lastEnded,
                of.exitCodes,
                of.firstFailure,
                new ArrayList<>(of.results.values()));
    }
}
