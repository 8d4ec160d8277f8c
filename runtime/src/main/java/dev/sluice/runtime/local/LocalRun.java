package dev.sluice.runtime.local;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.explain.PendingSummary;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import dev.sluice.core.state.Timer;
import dev.sluice.runtime.executor.Executor;
import dev.sluice.runtime.executor.ExecutorListener;
import dev.sluice.runtime.executor.RunExit;
import dev.sluice.runtime.file.FolderRemover;
import dev.sluice.runtime.host.BatchLog;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.host.HostParts;
import dev.sluice.runtime.host.NodeExecutor;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.host.StartFailures;
import dev.sluice.runtime.host.Transaction;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.JournalEntry;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.machine.Confinement;
import dev.sluice.runtime.machine.Gpus;
import dev.sluice.runtime.secret.SecretCipher;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs applications on this machine to completion, without a server: a host whose executor starts processes that end
 * with this program, and which ends when there is nothing left to do.
 */
public final class LocalRun {

    private static final Cause PREPARATION = Cause.internal("prepare");
    private static final Cause RESUMPTION = Cause.internal("resume");
    private static final String STUCK = "no further progress possible";

    private final Scheduler scheduler = new Scheduler();
    private final ResultCollector results = new ResultCollector(task -> logs().file(task));
    private final Path logs;
    private final Duration grace;
    private final String mark = ProcessSettings.newMark();
    private final EngineHost host;
    private Confinement confinement = Confinement.NONE;
    private @Nullable SecretCipher secrets;
    private List<String> stuck = List.of();
    private boolean failFast;
    private long logMax = Long.MAX_VALUE;
    private volatile boolean interrupted;
    private volatile @Nullable Throwable failure;

    /**
     * Creates a run without a journal.
     *
     * @param logs the directory of the log files
     * @param grace the time between SIGTERM and SIGKILL
     * @param projections follow its events, in this order
     */
    public LocalRun(Path logs, Duration grace, InstantSource clock, Projection... projections) {
        this(logs, grace, clock, null, projections);
    }

    /**
     * Creates a run that continues after what this journal contains, which is passed to the projections.
     *
     * @param logs the directory of the log files
     * @param grace the time between SIGTERM and SIGKILL
     * @param journal the journal, or null; the caller closes it
     * @param projections follow its events, in this order
     */
    public LocalRun(
            Path logs, Duration grace, InstantSource clock, @Nullable RunJournal journal, Projection... projections) {
        this.logs = logs;
        this.grace = grace;
        if (journal != null) {
            journal.recordMark(mark);
        }
        List<Projection> following = new ArrayList<>(List.of(projections));
        following.add(0, results);
        Instant last = Instant.MIN;
        long next = 1;
        for (RunJournal.RecordedBatch batch :
                journal == null ? List.<RunJournal.RecordedBatch>of() : journal.recorded()) {
            for (JournalEntry entry : batch.entries()) {
                scheduler.restore(entry.events());
            }
            for (Projection projection : following) {
                projection.committed(next, batch.entries());
            }
            next += batch.entries().stream()
                    .mapToLong(entry -> entry.events().size())
                    .sum();
            last = batch.at();
        }
        following.add(this::stopAfterFailure);
        this.host = new EngineHost(new HostParts(
                scheduler,
                last,
                clock,
                journal == null ? BatchLog.discarding() : journal,
                HistoryRecorder.NONE,
                following,
                reason -> failure = reason,
                HostLimits.DEFAULT));
    }

    /**
     * Executes commands before the run starts, such as a configuration, nodes or submissions, until one is refused.
     * Returns its refusal, or null.
     */
    public @Nullable Refusal prepare(List<? extends Command> commands) {
        return prepare(PREPARATION, commands);
    }

    /** Executes one command before the run starts; returns its refusal, or null. */
    public @Nullable Refusal prepare(Command command) {
        return prepare(List.of(command));
    }

    private @Nullable Refusal prepare(Cause cause, List<? extends Command> commands) {
        try {
            Optional<Refusal> refusal = host.execute(
                    cause,
                    context -> commands.stream()
                            .map(command -> context.handle(command).refusal())
                            .filter(Objects::nonNull)
                            .findFirst());
            return refusal.orElse(null);
        } catch (StoreException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Returns the number of GPUs of all nodes. */
    public long gpus() {
        return scheduler.state().partitions().stream()
                .flatMap(partition -> partition.nodes().stream())
                .mapToLong(node -> node.capacity().amount(Gpus.RESOURCE).value())
                .sum();
    }

    /** Sets what tasks may use of this machine, before the run starts; by default there are no limits. */
    public void confine(Confinement newConfinement) {
        confinement = newConfinement;
    }

    /** Sets what decrypts the secrets of tasks. Call it before {@link #run}. */
    public void decrypt(SecretCipher newSecrets) {
        secrets = newSecrets;
    }

    /** Runs until every application has ended, no further progress is possible, or the run is interrupted. */
    public RunResult run() {
        if (hasEnded(scheduler.state())) {
            return new RunResult(results.results(), stuck, interrupted);
        }
        reportLost();
        try (NodeExecutor executor = processes()) {
            host.add(executor);
            host.onIdle(this::endIfDone);
            host.start();
            try {
                host.awaitEnd();
            } catch (InterruptedException e) {
                interrupted = true;
                Thread.currentThread().interrupt();
            } finally {
                boolean unused = executor.stopAll();
            }
        } finally {
            host.close();
            boolean unused = FolderRemover.removeNow(ProcessSettings.scratch(logs));
        }
        if (failure != null) {
            throw new IllegalStateException("the run failed", failure);
        }
        return new RunResult(results.results(), stuck, interrupted);
    }

    /** Stops all tasks; {@link #run} returns when they have ended. Thread-safe; may be called before the run starts. */
    public void interrupt() {
        giveUp(context -> {
            interrupted = true;
            return cancelAll(context, "interrupted");
        });
    }

    /** Ends the journal and cancels all applications. */
    private void giveUp(Transaction<Boolean> cancellation) {
        host.submit(RunJournal.GIVING_UP, cancellation).exceptionally(reason -> false);
    }

    /**
     * Reports the runs of the former program as lost, before a cycle could take the time since then for theirs. They
     * ended with that program.
     */
    private void reportLost() {
        List<RunRef> lost = new ArrayList<>();
        for (Partition partition : scheduler.state().partitions()) {
            for (Node node : partition.nodes()) {
                node.tasks().forEach(task -> lost.add(task.run()));
            }
        }
        // a loss may end other runs, whose reports are refused
        lost.forEach(run -> prepare(RESUMPTION, List.of(new Command.ReportTaskLost(run))));
    }

    /** Limits the size of each task's log, in bytes. Called before the run starts. */
    public void limitLogs(long bytes) {
        logMax = bytes;
    }

    /** Cancels all applications when the first task fails for good. Called before the run starts. */
    public void failFast() {
        failFast = true;
    }

    private void stopAfterFailure(long first, List<JournalEntry> entries) {
        if (!failFast) {
            return;
        }
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof TaskEvent.Ended ended && isPermanentFailure(ended)) {
                    failFast = false;
                    String reason = "stopped because " + ended.application() + "/"
                            + ended.task().id() + " failed";
                    giveUp(context -> cancelAll(context, reason));
                    return;
                }
            }
        }
    }

    private static boolean isPermanentFailure(TaskEvent.Ended ended) {
        return !ended.again() && (ended.outcome().isOwnFailure() || ended.outcome() == TaskOutcome.LOST);
    }

    private NodeExecutor processes() {
        return new NodeExecutor(node -> true, host::report, this::processExecutor, executor -> new FailedStarts(host));
    }

    private Executor processExecutor(ExecutorListener reports) {
        ProcessSettings settings = ProcessSettings.attached(logs(), logMax, grace, mark)
                .withConfinement(confinement)
                .withSecrets(secrets);
        return new ProcessExecutor(settings, reports, (folder, reason) -> {});
    }

    private LogFolder logs() {
        return new LogFolder(logs, scheduler.state().partitions().size() > 1);
    }

    /** Ends the run if all applications have ended; cancels them if nothing can change any more. */
    private boolean endIfDone(TransactionContext context) {
        SchedulerState state = context.state();
        if (hasEnded(state)) {
            return true;
        }
        if (isStuck(state)) {
            List<String> reasons = whyStuck(state);
            if (!reasons.isEmpty()) {
                stuck = reasons;
                giveUp(cancellation -> cancelAll(cancellation, STUCK));
            }
        }
        return false;
    }

    private static boolean cancelAll(TransactionContext context, String reason) {
        for (Partition partition : context.state().partitions()) {
            for (Application application : List.copyOf(partition.applications())) {
                if (!application.state().isEnded()) {
                    context.handle(new Command.CancelApplication(partition.name(), application.id(), reason));
                }
            }
        }
        return true;
    }

    private static boolean hasEnded(SchedulerState state) {
        return state.partitions().stream()
                .flatMap(partition -> partition.applications().stream())
                .allMatch(application -> application.state().isEnded());
    }

    /**
     * Returns whether no task is on a node and no timer can help. Timers of queues are ignored, because rebalancing
     * needs running tasks; those of ended applications only make the scheduler forget them.
     */
    private static boolean isStuck(SchedulerState state) {
        for (Partition partition : state.partitions()) {
            if (partition.nodes().stream().anyMatch(node -> !node.tasks().isEmpty())) {
                return false;
            }
            for (Timer timer : partition.timers()) {
                boolean ended = timer.subject() instanceof Application application
                        && application.state().isEnded();
                if (!ended && !(timer.subject() instanceof Queue)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<String> whyStuck(SchedulerState state) {
        List<String> reasons = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            for (PendingSummary waiting : new Explainer(partition).explainAll()) {
                reasons.add(waiting.application().id() + ": "
                        + waiting.groups().get(0).spec().name()
                        + (waiting.tasks() > 1 ? " and others (" + waiting.tasks() + " tasks)" : "") + " cannot start: "
                        + waiting.reason().detail());
            }
        }
        return reasons;
    }

    /** Counts a run that could not be started as failed: this machine is the only one, so nothing is tried again. */
    private record FailedStarts(EngineHost host) implements StartFailures {

        @Override
        public void started() {}

        @Override
        public void notStarted(RunRef run, String reason) {
            host.report(new Command.ReportTaskFailed(run, RunExit.NOT_EXECUTABLE, reason));
        }
    }
}
