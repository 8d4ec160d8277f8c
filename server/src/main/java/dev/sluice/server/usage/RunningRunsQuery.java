package dev.sluice.server.usage;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.explain.StepBudget;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Task;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import dev.sluice.runtime.host.IncrementalQuery;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.RunAccount;
import dev.sluice.server.usage.RunningRuns.RunningRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Copies the runs of a partition that occupy resources, node by node. Events between two steps update the copy, so it
 * is that of the last step. Each node and run takes one unit of the budget; a node is copied in one step.
 */
public final class RunningRunsQuery implements IncrementalQuery<RunningRuns>, AutoCloseable {

    private final RunningRunsQueries queries;
    private final Function<SchedulerState, Partition> lookup;
    private final Map<RunRef, RunningRun> runs = new LinkedHashMap<>();
    private final Map<TaskGroup, RunAccount> accounts = new HashMap<>();
    private final Map<RunAccount, RunAccount> equalAccounts = new HashMap<>();
    private @Nullable Partition partition;
    private List<Node> nodes = List.of();
    private int next;
    private @Nullable RunningRuns answer;

    RunningRunsQuery(RunningRunsQueries queries, Function<SchedulerState, Partition> lookup) {
        this.queries = queries;
        this.lookup = lookup;
    }

    @Override
    public boolean step(TransactionContext context, StepBudget budget) {
        return step(context.state(), context.now(), budget);
    }

    /** Continues with the state at this instant; returns whether the query is complete. */
    public boolean step(SchedulerState state, Instant now, StepBudget budget) {
        Partition current = lookup.apply(state);
        if (current != partition) {
            partition = current;
            nodes = new ArrayList<>(current.nodes());
            next = 0;
            runs.clear();
        }
        while (next < nodes.size()) {
            if (!budget.take()) {
                return false;
            }
            for (Task task : nodes.get(next++).tasks()) {
                if (!task.isPreempting()) {
                    budget.take();
                    add(
                            task.run(),
                            task.application().origin(),
                            task.group(),
                            task.kind(),
                            task.node().name(),
                            task.placedAt());
                }
            }
        }
        answer = new RunningRuns(now, queries.last(), new ArrayList<>(runs.values()));
        return true;
    }

    /** Updates the copy; called with every event between two steps. */
    void onEvent(Event event, SchedulerState state) {
        Partition copied = partition;
        if (copied == null || answer != null || copied != state.partition(event.partition())) {
            return;
        }
        if (event instanceof TaskEvent.Placed placed) {
            TaskGroup group =
                    copied.existing(placed.application()).group(placed.task().task());
            TaskGroup placedGroup = Objects.requireNonNull(group);
            add(placed.run(), placed.origin(), placedGroup, placedGroup.kind(), placed.node(), placed.at());
        } else if (event instanceof TaskEvent.Ended ended) {
            runs.remove(ended.run());
        } else if (event instanceof TaskEvent.Stopping stopping
                && stopping.reason().isPreemption()) {
            runs.remove(stopping.run());
        } else if (event instanceof ApplicationEvent.Updated) {
            accounts.clear(); // groups may have other resources now
        }
    }

    /** @param kind what the task had when it was placed; that of the group unless the group was updated since */
    private void add(
            RunRef run, ApplicationOrigin origin, TaskGroup group, TaskKind kind, String node, Instant placed) {
        RunAccount account = kind.equals(group.kind())
                ? accounts.computeIfAbsent(group, known -> shared(RunUsages.account(origin, known, kind.resources())))
                : shared(RunUsages.account(origin, group, kind.resources()));
        runs.put(run, new RunningRun(account, node, placed, RunUsages.waited(group, run.attempt(), placed)));
    }

    private RunAccount shared(RunAccount account) {
        RunAccount equal = equalAccounts.putIfAbsent(account, account);
        return equal == null ? account : equal;
    }

    @Override
    public RunningRuns answer() {
        return Objects.requireNonNull(answer);
    }

    /** Ends the query, which gets no more events. */
    @Override
    public void close() {
        queries.end(this);
    }
}
