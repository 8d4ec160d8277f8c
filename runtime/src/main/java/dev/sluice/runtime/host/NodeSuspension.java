package dev.sluice.runtime.host;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.command.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Suspends a node when it cannot start tasks, for example because a disk is full, and reports it ready when a
 * probe succeeds. The interval between probes doubles each time, until a task has started.
 */
public final class NodeSuspension implements StartFailures {

    private final String node;
    private final Supplier<@Nullable String> probe;
    private final Consumer<List<? extends Command>> commands;
    private final Consumer<@Nullable String> problem;
    private final Duration first;
    private final Duration longest;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, step -> {
        Thread thread = new Thread(step, "start-probe");
        thread.setDaemon(true);
        return thread;
    });

    /** Partitions in which the node is suspended. */
    private final Set<String> suspended = new TreeSet<>();

    private Duration delay;

    /**
     * Creates a probe of a node that is assumed to be able to start tasks.
     *
     * @param probe supplies why tasks cannot be started, or null if they can
     * @param commands receives the reports, each list as one transaction
     * @param problem receives why tasks cannot be started; null when they can be started again
     * @param first the interval before the first probe
     * @param longest the maximum interval
     */
    public NodeSuspension(
            String node,
            Supplier<@Nullable String> probe,
            Consumer<List<? extends Command>> commands,
            Consumer<@Nullable String> problem,
            Duration first,
            Duration longest) {
        this.node = node;
        this.probe = probe;
        this.commands = commands;
        this.problem = problem;
        this.first = first;
        this.longest = longest;
        this.delay = first;
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Records that this machine could not start a run. Its task becomes pending again after the node has been
     * suspended.
     */
    @Override
    public synchronized void notStarted(RunRef run, String reason) {
        if (suspended.isEmpty()) {
            problem.accept(reason);
            plan();
        }
        String partition = run.task().partition();
        suspended.add(partition);
        commands.accept(List.of(new Command.SuspendNode(partition, node), new Command.ReportTaskNotStarted(run)));
    }

    /** Records that a task has started. */
    @Override
    public synchronized void started() {
        if (suspended.isEmpty()) {
            delay = first;
        }
    }

    private void plan() {
        try {
            var unused = executor.schedule(this::poll, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // the next server reports the node ready
            return;
        }
        Duration next = delay.multipliedBy(2);
        delay = next.compareTo(longest) > 0 ? longest : next;
    }

    private void poll() {
        String reason = probe.get();
        synchronized (this) {
            problem.accept(reason);
            if (reason != null) {
                plan();
                return;
            }
            List<Command> ready = new ArrayList<>();
            suspended.forEach(partition -> ready.add(new Command.ReportNodeReady(partition, node)));
            suspended.clear();
            commands.accept(ready);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
