package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Timer;
import dev.sluice.runtime.executor.VirtualExecutor;
import dev.sluice.runtime.host.BatchLog;
import dev.sluice.runtime.host.EngineHost;
import dev.sluice.runtime.host.HistoryRecorder;
import dev.sluice.runtime.host.HostLimits;
import dev.sluice.runtime.host.HostListener;
import dev.sluice.runtime.host.HostParts;
import dev.sluice.runtime.host.NodeExecutor;
import dev.sluice.runtime.host.StartFailures;
import dev.sluice.runtime.host.Transaction;
import dev.sluice.runtime.host.TransactionContext;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.measure.Measurements;
import dev.sluice.simulator.measure.RunSummary;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of the engine on a workload, in virtual time.
 *
 * <p>At every instant with an event, tasks end first (in order of allocation), then applications are submitted (in the
 * order of the workload), then the engine runs cycles until it makes no further decision. A task starts at the instant
 * of its allocation, or, if it was reserved, of its release. It ends after its duration, or immediately when it is
 * stopped. Times are whole milliseconds. The simulation ends when nothing will ever happen again, or when it repeats
 * itself forever.
 */
public final class Simulation {

    /** The number of instants between two notifications of the listener. */
    private static final int INSTANTS_PER_UPDATE = 1_024;

    private static final long NEVER = Long.MAX_VALUE;

    /** Ended applications are forgotten at once. */
    private static final HostLimits LIMITS = new HostLimits(1, 1, 0, Duration.ofSeconds(1));

    private static final Cause SUBMISSION = Cause.internal("SubmitApplication");
    private static final Cause REPORT = Cause.internal("report");

    private final SimulationSetup setup;
    private final SimulationListener listener;
    private final int instantsPerUpdate;
    private final Scheduler scheduler = new Scheduler();
    private final Measurements measurements;
    private final MeasuredTasks tasks;
    private final EngineHost host;

    @SuppressWarnings("NullAway.Init") // set when the host gets its executor
    private VirtualExecutor executor;

    private final long samplingMillis;
    private long nowMillis;
    private Instant now;
    private long nextSampleMillis;
    private long sampledEvents = -1;

    /** Creates a simulation that notifies its listener after this many instants. */
    Simulation(SimulationSetup setup, SimulationListener listener, int instantsPerUpdate) {
        this.setup = setup;
        this.listener = listener;
        this.instantsPerUpdate = instantsPerUpdate;
        this.samplingMillis = setup.sampling().toMillis();
        this.nowMillis = setup.begin().toEpochMilli();
        this.now = Instant.ofEpochMilli(nowMillis);
        this.nextSampleMillis = nowMillis;
        long prepared = prepare(new Command.ApplyConfiguration(setup.partitions()));
        for (NodeEntry node : setup.nodes()) {
            for (int i = 0; i < node.size(); i++) {
                for (Command command : node.commands(i)) {
                    prepared += prepare(command);
                }
            }
        }
        for (Partition partition : scheduler.state().partitions()) {
            prepared += prepare(new Command.SetSeed(partition.name(), setup.seed()));
        }
        this.measurements =
                new Measurements(scheduler.state(), samplingMillis, setup.capacityScale(), setup.sizeResource());
        this.tasks = new MeasuredTasks(measurements, prepared, nowMillis);
        this.host = new EngineHost(new HostParts(
                scheduler,
                now,
                () -> now,
                BatchLog.discarding(),
                HistoryRecorder.NONE,
                List.of(tasks),
                HostListener.NONE,
                LIMITS));
        host.add(new NodeExecutor(
                node -> true,
                this::report,
                reports -> {
                    executor = new VirtualExecutor(reports, tasks::durationMillis, nowMillis);
                    return executor;
                },
                each -> StartFailures.NONE));
        host.recover();
    }

    /**
     * Runs a simulation to its end.
     *
     * @throws SimulationException if the engine rejects the configuration or a node
     * @throws IOException if the workload cannot be read
     */
    public static RunFigures run(SimulationSetup setup, SimulationListener listener) throws IOException {
        return new Simulation(setup, listener, INSTANTS_PER_UPDATE).run();
    }

    /** Returns the state of the engine. */
    SchedulerState state() {
        return scheduler.state();
    }

    MeasuredTasks tasks() {
        return tasks;
    }

    Measurements measurements() {
        return measurements;
    }

    RunFigures run() throws IOException {
        long untilMillis = setup.until() == null ? NEVER : setup.until().toEpochMilli();
        try (ArrivalStream arrivals = setup.workload().open()) {
            Arrival arrival = arrivals.next();
            long instants = 0;
            long at = nextInstant(arrival);
            while (at != NEVER && at <= untilMillis) {
                advance(at);
                executor.advance(at);
                while (executor.endNext()) {
                    settle();
                }
                while (arrival != null && arrival.submitted().toEpochMilli() <= nowMillis) {
                    submit(arrival);
                    settle();
                    arrival = arrivals.next();
                }
                while (step()) {
                    settle();
                }
                if (++instants % instantsPerUpdate == 0) {
                    listener.advanced(now, tasks.events(), tasks.applicationsEnded());
                }
                at = nextInstant(arrival);
            }
            if (untilMillis != NEVER && (arrival != null || tasks.hasActiveApplications())) {
                advance(Math.max(nowMillis, untilMillis));
            }
        }
        listener.advanced(now, tasks.events(), tasks.applicationsEnded());
        finish();
        return measurements.figures(new RunSummary(
                setup.variant(),
                setup.kind(),
                setup.begin(),
                now,
                Instant.ofEpochMilli(tasks.lastEndMillis()),
                tasks.events()));
    }

    /** Returns the time of the next event: a submission, an end, or a timer of the engine. */
    private long nextInstant(@Nullable Arrival arrival) {
        long next = Math.min(arrival == null ? NEVER : arrival.submitted().toEpochMilli(), executor.nextEndMillis());
        if (tasks.hasActiveApplications()) {
            next = Math.min(next, nextTimer(next == NEVER));
        }
        return next == NEVER ? NEVER : Math.max(next, nowMillis);
    }

    /**
     * Returns when the engine is due. If nothing runs and nothing will be submitted, preemption has no effect and its
     * times are ignored.
     */
    private long nextTimer(boolean stuck) {
        long next = NEVER;
        for (Partition partition : scheduler.state().partitions()) {
            Timer timer = stuck ? firstOfNoQueue(partition.timers()) : null;
            Instant due = stuck ? timer == null ? null : timer.due() : scheduler.nextDue(partition.name());
            next = due == null ? next : Math.min(next, ceilingMillis(due));
        }
        return next;
    }

    private static @Nullable Timer firstOfNoQueue(Collection<Timer> timers) {
        return timers.stream()
                .filter(timer -> !(timer.subject() instanceof Queue))
                .findFirst()
                .orElse(null);
    }

    private static long ceilingMillis(Instant instant) {
        long millis = instant.toEpochMilli();
        return Instant.ofEpochMilli(millis).equals(instant) ? millis : millis + 1;
    }

    /** Advances the time; the state does not change meanwhile. */
    private void advance(long toMillis) {
        if (toMillis <= nowMillis) {
            return;
        }
        measurements.advance((toMillis - nowMillis) / 1000.0);
        if (toMillis > nextSampleMillis) {
            long samples = (toMillis - nextSampleMillis + samplingMillis - 1) / samplingMillis;
            measurements.sample(samples, tasks.events() != sampledEvents);
            sampledEvents = tasks.events();
            nextSampleMillis += samples * samplingMillis;
        }
        nowMillis = toMillis;
        now = Instant.ofEpochMilli(toMillis);
    }

    private void submit(Arrival arrival) {
        boolean unused = execute(SUBMISSION, context -> {
            submit(arrival, context);
            return true;
        });
    }

    private void submit(Arrival arrival, TransactionContext context) {
        String partitionName = arrival.partition();
        Partition partition = context.state().partition(partitionName);
        if (partition == null) {
            refused(arrival, "partition not found");
            return;
        }
        Refusal refusal = context.handle(new Command.SubmitApplication(partitionName, arrival.application()))
                .refusal();
        if (refusal != null) {
            refused(arrival, refusal.code().wireName());
            return;
        }
        Application application = partition.existing(arrival.application().id());
        if (application.hasQueue()) {
            tasks.submitted(partition, application, arrival.durations(), nowMillis);
        } else {
            measurements.rejected(arrival.application().user(), application.stateReason());
        }
    }

    private void refused(Arrival arrival, String why) {
        measurements.rejected(arrival.application().user(), "rejected at submission: " + why);
    }

    /** Delivers the reports that result from decisions, iteratively and without a limit on their number. */
    private void settle() {
        while (executor.deliverNext()) {
            // a report may lead to further decisions
        }
    }

    private void report(List<? extends Command> reports) {
        boolean unused = execute(REPORT, context -> {
            for (Command report : reports) {
                Refusal refusal = context.handle(report).refusal();
                if (refusal != null) {
                    throw new IllegalStateException("engine refused a report of the simulation: " + refusal);
                }
            }
            return true;
        });
    }

    private <T> T execute(Cause cause, Transaction<T> transaction) {
        try {
            return host.execute(cause, transaction);
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean step() {
        try {
            return host.step();
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Executes a command before the simulation; returns the number of its events. */
    private int prepare(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        Refusal refusal = reply.refusal();
        if (refusal != null) {
            throw new SimulationException(refusal.message());
        }
        return reply.events().size();
    }

    /** Counts what has not ended, and why it waits. */
    private void finish() {
        for (Partition partition : scheduler.state().partitions()) {
            tasks.finish(partition, nowMillis);
            new Explainer(partition)
                    .explainAll()
                    .forEach(waiting -> measurements.reason(waiting.reason().detail(), waiting.tasks()));
        }
    }
}
