package dev.sluice.runtime.local;

import dev.sluice.core.application.ApplicationRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.application.TaskState;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects the results of applications and their tasks from the events, from the first one on. */
final class ResultCollector implements Projection {

    private final Function<TaskRef, Path> log;
    private final ApplicationTallies tallies = new ApplicationTallies();
    private final Map<ApplicationRef, TaskResults> results = new HashMap<>();

    /** The results of the tasks of one application. */
    private static final class TaskResults {
        private @Nullable Instant lastEnded;
        private final SortedMap<Integer, Integer> exitCodes = new TreeMap<>();
        private final Map<TaskRef, TaskResult> ended = new LinkedHashMap<>();
        private final Map<TaskRef, Instant> placed = new HashMap<>();
        private @Nullable TaskResult firstFailure;
    }

    /** @param log returns the log file of a task */
    ResultCollector(Function<TaskRef, Path> log) {
        this.log = log;
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            entry.events().forEach(this::collect);
        }
    }

    private void collect(Event event) {
        ApplicationTally unused = tallies.count(event);
        if (event instanceof ApplicationEvent.Submitted submitted) {
            results.put(new ApplicationRef(submitted.partition(), submitted.application()), new TaskResults());
        } else if (event instanceof TaskEvent.Placed placed) {
            resultsOf(placed.partition(), placed.application()).placed.putIfAbsent(placed.task(), placed.at());
        } else if (event instanceof TaskEvent.Ended ended) {
            ended(ended, ended.task());
        }
    }

    private void ended(TaskEvent.Ended ended, TaskRef task) {
        TaskResults of = resultsOf(ended.partition(), ended.application());
        of.lastEnded = ended.at();
        Integer exitCode = ended.exitCode();
        if (exitCode != null) {
            of.exitCodes.merge(exitCode, 1, Integer::sum);
        }
        TaskResult former = of.ended.remove(task);
        TaskResult result = new TaskResult(
                task.id(),
                ended.again() ? TaskState.PENDING : stateAfter(ended.outcome()),
                former == null ? 1 : former.attempts() + 1,
                exitCode,
                ended.outcome() == TaskOutcome.TIMED_OUT ? timedOut(ended) : ended.detail(),
                of.placed.getOrDefault(task, ended.at()),
                ended.at(),
                log.apply(task));
        of.ended.put(task, result);
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

    private TaskResults resultsOf(String partition, String application) {
        return results.getOrDefault(new ApplicationRef(partition, application), new TaskResults());
    }

    /** Returns the results of all applications, in the order of submission. */
    List<ApplicationResult> results() {
        return tallies.all().stream().map(this::result).toList();
    }

    private ApplicationResult result(ApplicationTally application) {
        TaskResults of = resultsOf(application.partition(), application.id());
        return new ApplicationResult(
                application.partition(),
                application.id(),
                application.origin().queue(),
                application.origin().user(),
                application.state(),
                application.stateReason(),
                application.tasks(),
                application.succeeded(),
                application.failed(),
                application.stopped(),
                application.origin().submitted(),
                application.firstPlaced(),
                of.lastEnded,
                of.exitCodes,
                of.firstFailure,
                new ArrayList<>(of.ended.values()));
    }
}
