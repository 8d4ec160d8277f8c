package dev.sluice.simulator.simulation;

import dev.sluice.config.snapshot.NodeEntry;
import dev.sluice.core.command.Command;
import dev.sluice.core.command.CommandResult;
import dev.sluice.core.command.Refusal;
import dev.sluice.core.engine.Scheduler;
import dev.sluice.core.explain.Explainer;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.Timer;
import dev.sluice.simulator.figures.RunFigures;
import dev.sluice.simulator.measure.Measurements;
import dev.sluice.simulator.measure.RunSummary;
import dev.sluice.simulator.workload.Arrival;
import dev.sluice.simulator.workload.ArrivalStream;
import java.io.IOException;
import java.time.Instant;
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

    private final SimulationSetup setup;
    private final SimulationListener listener;
    private final int instantsPerUpdate;
    private final Scheduler scheduler = new Scheduler();
    private final Measurements measurements;
    private final VirtualTasks tasks;
    private final long samplingMillis;
    private long nowMillis;
    private Instant now;
    private long nextSampleMillis;
    private boolean changed = true;
    private long events;

    /** Creates a simulation that notifies its listener after this many instants. */
    Simulation(SimulationSetup setup, SimulationListener listener, int instantsPerUpdate) {
        this.setup = setup;
        this.listener = listener;
        this.instantsPerUpdate = instantsPerUpdate;
        this.samplingMillis = setup.sampling().toMillis();
        this.nowMillis = setup.begin().toEpochMilli();
        this.now = Instant.ofEpochMilli(nowMillis);
        this.nextSampleMillis = nowMillis;
        prepare(new Command.ApplyConfiguration(setup.partitions()));
        for (NodeEntry node : setup.nodes()) {
            for (int i = 0; i < node.size(); i++) {
                node.commands(i).forEach(this::prepare);
            }
        }
        for (Partition partition : scheduler.state().partitions()) {
            prepare(new Command.SetSeed(partition.name(), setup.seed()));
        }
        this.measurements =
                new Measurements(scheduler.state(), samplingMillis, setup.capacityScale(), setup.sizeResource());
        this.tasks = new VirtualTasks(measurements, nowMillis);
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

    VirtualTasks tasks() {
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
            while (at != NEVER && at <= untilMillis && !(arrival == null && tasks.isLivelocked())) {
                advance(at);
                endTasks();
                while (arrival != null && arrival.submitted().toEpochMilli() <= nowMillis) {
                    submit(arrival);
                    arrival = arrivals.next();
                }
                runCycles();
                if (++instants % instantsPerUpdate == 0) {
                    listener.advanced(now, events, tasks.applicationsEnded());
                }
                at = nextInstant(arrival);
            }
            if (untilMillis != NEVER && (arrival != null || tasks.hasActiveApplications())) {
                advance(Math.max(nowMillis, untilMillis));
            }
        }
        listener.advanced(now, events, tasks.applicationsEnded());
        finish();
        return measurements.figures(new RunSummary(
                setup.variant(),
                setup.kind(),
                setup.begin(),
                now,
                Instant.ofEpochMilli(tasks.lastEndMillis()),
                events));
    }

    /** Returns the time of the next event: a submission, an end, or a timer of the engine. */
    private long nextInstant(@Nullable Arrival arrival) {
        long next = Math.min(arrival == null ? NEVER : arrival.submitted().toEpochMilli(), tasks.nextEndMillis());
        if (tasks.hasActiveApplications()) {
            next = Math.min(next, nextTimer(next == NEVER));
        }
        return next == NEVER ? NEVER : Math.max(next, nowMillis);
    }

    /**
     * Returns the next timer of the engine. If nothing runs and nothing will be submitted, rebalancing has no effect
     * and its timers are ignored.
     */
    private long nextTimer(boolean stuck) {
        long next = NEVER;
        for (Partition partition : scheduler.state().partitions()) {
            for (Timer timer : partition.timers()) {
                if (!stuck || !(timer.subject() instanceof Queue)) {
                    next = Math.min(next, ceilingMillis(timer.due()));
                    break;
                }
            }
        }
        return next;
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
            measurements.sample(samples, changed);
            changed = false;
            nextSampleMillis += samples * samplingMillis;
        }
        nowMillis = toMillis;
        now = Instant.ofEpochMilli(toMillis);
    }

    private void endTasks() {
        for (SimulatedRun run = tasks.nextEnded(nowMillis); run != null; run = tasks.nextEnded(nowMillis)) {
            CommandResult reply = scheduler.handle(new Command.ReportTaskSucceeded(run.ref), now);
            if (reply.refusal() != null) {
                throw new IllegalStateException("engine refused the end of a task: " + reply.refusal());
            }
            decided(reply.events());
        }
    }

    private void submit(Arrival arrival) {
        String partitionName = arrival.partition();
        String id = arrival.application().id();
        Partition partition = scheduler.state().partition(partitionName);
        if (partition == null) {
            refused(arrival, "partition not found");
            return;
        }
        CommandResult reply =
                scheduler.handle(new Command.SubmitApplication(partitionName, arrival.application()), now);
        if (reply.refusal() != null) {
            refused(arrival, reply.refusal().code().wireName());
            return;
        }
        Application application = partition.existing(id);
        if (application.hasQueue()) {
            tasks.submitted(partition, application, arrival.durations(), nowMillis);
        } else {
            measurements.rejected(arrival.application().user(), application.stateReason());
            tasks.rejected(partitionName, id);
        }
        decided(reply.events());
    }

    private void refused(Arrival arrival, String why) {
        measurements.rejected(arrival.application().user(), "rejected at submission: " + why);
    }

    private void runCycles() {
        boolean any = true;
        while (any) {
            any = false;
            for (Partition partition : scheduler.state().partitions()) {
                List<Event> decided = scheduler.cycle(partition.name(), now);
                any |= !decided.isEmpty();
                decided(decided);
            }
        }
    }

    /**
     * Applies the decisions of the engine and what follows from them at the same instant, iteratively and without a
     * limit on their number.
     */
    private void decided(List<Event> decided) {
        apply(decided);
        for (Command next = tasks.nextCommand(); next != null; next = tasks.nextCommand()) {
            CommandResult reply = scheduler.handle(next, now);
            if (reply.refusal() != null) {
                throw new IllegalStateException("engine refused a report of the simulation: " + reply.refusal());
            }
            apply(reply.events());
        }
    }

    private void apply(List<Event> decided) {
        if (!decided.isEmpty()) {
            events += decided.size();
            changed = true;
            tasks.apply(decided, nowMillis);
        }
    }

    private void prepare(Command command) {
        CommandResult reply = scheduler.handle(command, now);
        events += reply.events().size();
        Refusal refusal = reply.refusal();
        if (refusal != null) {
            throw new SimulationException(refusal.message());
        }
    }

    /** Counts what has not ended, and why it waits. */
    private void finish() {
        if (tasks.isLivelocked()) {
            measurements.reason("preempted by every rebalance in favour of tasks that fit on no node", tasks.running());
        }
        for (Partition partition : scheduler.state().partitions()) {
            tasks.finish(partition, nowMillis);
            new Explainer(partition)
                    .explainAll()
                    .forEach(waiting -> measurements.reason(waiting.reason().detail(), waiting.tasks()));
        }
    }
}
