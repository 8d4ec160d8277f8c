package dev.sluice.server.node;

import dev.sluice.core.command.Command;
import dev.sluice.runtime.local.TaskRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Suspends the node of this machine when it cannot start tasks, as without space on a disk, and reports it ready when it can. Between two
 * probes passes twice the time each time, until a task has started.
 */
final class StartProbe implements AutoCloseable {

    private final String node;
    private final Supplier<@Nullable String> probe;
    private final NodeListener listener;
    private final Duration first;
    private final Duration longest;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, step -> {
        Thread thread = new Thread(step, "start-probe");
        thread.setDaemon(true);
        return thread;
    });

    /** The partitions in which the node is suspended. */
    private final Set<String> suspended = new TreeSet<>();

    private Duration delay;

    /**
     * Of a node that can start tasks, as far as is known.
     *
     * @param probe tells why no task can be started, or null if one can
     * @param first the time before the first probe
     * @param longest the most time between two probes
     */
    StartProbe(String node, Supplier<@Nullable String> probe, NodeListener listener, Duration first, Duration longest) {
        this.node = node;
        this.probe = probe;
        this.listener = listener;
        this.first = first;
        this.longest = longest;
        this.delay = first;
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** A run could not be started by this machine. Its task is pending again, after the node has been suspended. */
    synchronized void notStarted(TaskRun run, String reason) {
        if (suspended.isEmpty()) {
            listener.startProblemChanged(reason);
            plan();
        }
        suspended.add(run.partition());
        listener.report(List.of(
                new Command.SuspendNode(run.partition(), node),
                new Command.ReportTaskNotStarted(run.partition(), run.application(), run.taskId(), run.attempt())));
    }

    /** A task has been started. */
    synchronized void started() {
        if (suspended.isEmpty()) {
            delay = first;
        }
    }

    private void plan() {
        try {
            var unused = executor.schedule(this::poll, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The next server reports the node ready.
            return;
        }
        Duration next = delay.multipliedBy(2);
        delay = next.compareTo(longest) > 0 ? longest : next;
    }

    private void poll() {
        String reason = probe.get();
        synchronized (this) {
            listener.startProblemChanged(reason);
            if (reason != null) {
                plan();
                return;
            }
            List<Command> ready = new ArrayList<>();
            suspended.forEach(partition -> ready.add(new Command.ReportNodeReady(partition, node)));
            suspended.clear();
            listener.report(ready);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
