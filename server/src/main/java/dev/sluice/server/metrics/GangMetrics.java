package dev.sluice.server.metrics;

import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;

/** Counts the gangs that start and those that do not start in time, and measures how long they wait. */
final class GangMetrics implements Projection {

    private final Timer waits;
    private final Counter timeouts;

    GangMetrics(MeterRegistry registry) {
        waits = Timer.builder("sluice.gang.wait")
                .description("Time that gangs waited until they started.")
                .serviceLevelObjectives(
                        Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(10))
                .register(registry);
        timeouts = Counter.builder("sluice.gang.timeouts")
                .description("Gangs that did not start within their timeout.")
                .register(registry);
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof ApplicationEvent.GangStarted started) {
                    waits.record(Duration.between(started.waitingSince(), started.at()));
                } else if (event instanceof ApplicationEvent.GangTimedOut) {
                    timeouts.increment();
                }
            }
        }
    }
}
