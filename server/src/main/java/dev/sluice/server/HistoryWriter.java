package dev.sluice.server;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.runtime.executor.MeasuredUse;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.HistoryRecord;
import dev.sluice.runtime.journal.RunEnd;
import dev.sluice.server.usage.RunUsages;
import dev.sluice.server.usage.RunningRunsQueries;
import dev.sluice.server.view.Views;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Records the outcome of every application and task run, what each run was allocated and what it used. */
final class HistoryWriter implements HistoryRecorder {

    private final JsonMapper json;

    /** The runs that are being stopped and have not ended; only looked up. */
    private final Map<RunRef, Stop> stopping = new HashMap<>();

    /**
     * Why a run is being stopped.
     *
     * @param released whether it was preempted, which released its resources, even if a user stopped it later
     * @param beneficiary the task it is preempted for; null if there is none or it was preempted before the start
     */
    private record Stop(StopReason reason, boolean released, HistoryRecord.@Nullable Beneficiary beneficiary) {}

    private final RunningRunsQueries running;
    private final Function<RunRef, MeasuredUse> measured;

    /**
     * Creates a writer.
     *
     * @param state the state at the start
     * @param last the sequence number of the last event before
     * @param measured returns what a run whose end is being decided has used
     */
    HistoryWriter(JsonMapper json, SchedulerState state, long last, Function<RunRef, MeasuredUse> measured) {
        this.json = json;
        this.measured = measured;
        this.running = new RunningRunsQueries(last);
        for (Partition partition : state.partitions()) {
            for (Node node : partition.nodes()) {
                for (Task task : node.tasks()) {
                    StopReason reason = task.stopReason();
                    if (reason != null) {
                        stopping.put(task.run(), new Stop(reason, task.isPreempting(), null));
                    }
                }
            }
        }
    }

    /** Returns the queries of the runs that are not in the history yet. */
    RunningRunsQueries running() {
        return running;
    }

    @Override
    public List<HistoryRecord> record(long sequence, Cause cause, Event event, SchedulerState state) {
        running.onEvent(sequence, event, state);
        if (event instanceof TaskEvent.Ended ended) {
            Stop stop = stopping.remove(ended.run());
            MeasuredUse used = measured.apply(ended.run());
            HistoryRecord.RunUsage usage = usage(sequence, ended, stop != null && stop.released(), used, state);
            return List.of(ended(sequence, ended, stop).withUse(usage.account().resources(), used), usage);
        }
        if (event instanceof TaskEvent.Stopping stop) {
            Stop former = stopping.get(stop.run());
            boolean before = former != null && former.released();
            boolean releases = stop.reason().isPreemption() && !before;
            stopping.put(stop.run(), new Stop(stop.reason(), before || releases, beneficiary(stop, state)));
            return releases
                    ? List.of(usage(
                            sequence,
                            stop,
                            stop.allocation().placed(),
                            RunEnd.NONE,
                            measured.apply(stop.run()).cpuTime(),
                            state))
                    : List.of();
        }
        if (event instanceof TaskEvent.Dropped dropped) {
            return List.of(dropped(
                    sequence, event, dropped.application(), dropped.task().id(), dropped.origin(), dropped.reason()));
        }
        if (event instanceof ApplicationEvent.TasksDropped dropped) {
            return List.of(dropped(
                    sequence, event, dropped.application(), dropped.tasks(), dropped.origin(), dropped.reason()));
        }
        return event instanceof ApplicationEvent.StateChanged changed ? ended(sequence, changed, state) : List.of();
    }

    private static HistoryRecord.@Nullable Beneficiary beneficiary(TaskEvent.Stopping event, SchedulerState state) {
        TaskRef task = event.beneficiary();
        Partition partition = state.partition(event.partition());
        Application application = task == null || partition == null ? null : partition.application(task.application());
        return task == null || application == null
                ? null
                : new HistoryRecord.Beneficiary(application.queue().path(), application.id(), task.id());
    }

    private List<HistoryRecord> ended(long sequence, ApplicationEvent.StateChanged event, SchedulerState state) {
        Partition partition = state.partition(event.partition());
        Application application = partition == null ? null : partition.application(event.application());
        if (partition == null
                || application == null
                || !event.to().isEnded()
                || event.to() == ApplicationState.EXPIRED) {
            return List.of();
        }
        return List.of(new HistoryRecord.FinishedApplication(
                sequence,
                event.partition(),
                event.application(),
                application.spec().name(),
                event.origin().queue(),
                event.origin().user(),
                event.to(),
                event.reason(),
                event.origin().submitted(),
                event.at(),
                json.writeValueAsString(Views.application(partition, application, Views.groups(application)))));
    }

    private static HistoryRecord.RunUsage usage(
            long sequence, TaskEvent.Ended event, boolean released, MeasuredUse used, SchedulerState state) {
        return usage(
                sequence,
                event,
                released ? event.at() : event.allocation().placed(),
                RunUsages.end(event.outcome(), event.again()),
                released ? null : used.cpuTime(),
                state);
    }

    private static HistoryRecord.RunUsage usage(
            long sequence,
            TaskEvent.RunEvent event,
            Instant placed,
            RunEnd end,
            @Nullable Duration cpuTime,
            SchedulerState state) {
        Partition partition = state.partition(event.partition());
        Application application = partition == null ? null : partition.application(event.application());
        TaskGroup group =
                application == null ? null : application.group(event.task().task());
        if (group == null) {
            throw new IllegalStateException("unknown task: " + event);
        }
        boolean first = placed.equals(event.allocation().placed());
        return new HistoryRecord.RunUsage(
                sequence,
                RunUsages.account(event.origin(), group, held(event, group)),
                event.node(),
                placed,
                event.at(),
                first ? RunUsages.waited(group, event.run().attempt(), placed) : null,
                end,
                cpuTime);
    }

    /** Returns the resources of a run, which those of its task may no longer be. */
    private static Resources held(TaskEvent.RunEvent event, TaskGroup group) {
        Task task = group.placed(event.task().position());
        if (event instanceof TaskEvent.Ended ended) {
            return ended.held() == null ? group.kind().resources() : ended.held();
        }
        return task == null ? group.kind().resources() : task.kind().resources();
    }

    private static HistoryRecord.TaskEnd ended(long sequence, TaskEvent.Ended event, @Nullable Stop stop) {
        Allocation allocation = event.allocation();
        return new HistoryRecord.TaskEnd(
                sequence,
                event.partition(),
                event.application(),
                event.origin().submitted(),
                event.task().id(),
                event.run().attempt(),
                allocation.node(),
                allocation.placed(),
                allocation.started(),
                event.at(),
                event.outcome(),
                event.exitCode(),
                event.detail(),
                event.again(),
                stop == null ? null : stop.reason(),
                stop == null ? null : stop.beneficiary());
    }

    private static HistoryRecord.TaskEnd dropped(
            long sequence, Event event, String application, String task, ApplicationOrigin origin, String reason) {
        return new HistoryRecord.TaskEnd(
                sequence,
                event.partition(),
                application,
                origin.submitted(),
                task,
                0,
                null,
                null,
                null,
                event.at(),
                TaskOutcome.STOPPED,
                null,
                reason,
                false,
                null,
                null);
    }
}
