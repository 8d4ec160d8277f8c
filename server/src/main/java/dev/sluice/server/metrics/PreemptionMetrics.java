package dev.sluice.server.metrics;

import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts preemptions, their victims and the work that is lost, by reason. */
public final class PreemptionMetrics implements Projection {

    private static final double NANOS = 1e9;

    private final Map<StopReason, Counter> preemptions = new EnumMap<>(StopReason.class);
    private final Map<StopReason, Counter> victims = new EnumMap<>(StopReason.class);
    private final Map<StopReason, Counter> lostSeconds = new EnumMap<>(StopReason.class);

    /** The beneficiary of the last victim: the victims of one preemption follow each other. */
    private @Nullable TaskRef last;

    public PreemptionMetrics(ServerMetrics metrics) {
        for (StopReason reason : StopReason.values()) {
            if (reason.isPreemption()) {
                String value = reason.wireName();
                preemptions.put(
                        reason,
                        metrics.counter(
                                "sluice.preemptions", "Tasks in whose favor others were preempted.", "reason", value));
                victims.put(reason, metrics.counter("sluice.preempted.tasks", "Tasks preempted.", "reason", value));
                lostSeconds.put(
                        reason,
                        metrics.counter(
                                "sluice.preempted.work.seconds",
                                "Time that preempted tasks had run since their start.",
                                "reason",
                                value));
            }
        }
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof TaskEvent.Stopping stopping
                        && stopping.reason().isPreemption()) {
                    count(stopping);
                } else {
                    last = null;
                }
            }
        }
    }

    private void count(TaskEvent.Stopping stopping) {
        TaskRef beneficiary = stopping.beneficiary();
        if (beneficiary != null && !beneficiary.equals(last)) {
            increment(preemptions, stopping, 1);
        }
        last = beneficiary;
        increment(victims, stopping, 1);
        Instant started = stopping.allocation().started();
        if (started != null) {
            increment(
                    lostSeconds,
                    stopping,
                    Duration.between(started, stopping.at()).toNanos() / NANOS);
        }
    }

    private static void increment(Map<StopReason, Counter> counters, TaskEvent.Stopping stopping, double amount) {
        Counter counter = counters.get(stopping.reason());
        if (counter != null) {
            counter.increment(amount);
        }
    }
}
