package dev.sluice.runtime.host;

import dev.sluice.core.engine.Scheduler;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * What an {@link EngineHost} is made of.
 *
 * @param scheduler the engine, restored from the journal
 * @param notBefore the instant of the last event in the journal; later events never precede it, whatever the clock says
 * @param clock the clock, which may be virtual
 * @param log the journal
 * @param recorder derives history records, which are written with the events
 * @param projections follow the durable events, in this order
 * @param listener receives notifications about the health of the host
 * @param limits the limits
 */
public record HostParts(
        Scheduler scheduler,
        Instant notBefore,
        InstantSource clock,
        BatchLog log,
        HistoryRecorder recorder,
        List<Projection> projections,
        HostListener listener,
        HostLimits limits) {

    public HostParts {
        projections = List.copyOf(projections);
    }

    /** Returns parts without a journal, history and listener, with default limits. */
    public static HostParts inMemory(Scheduler scheduler, InstantSource clock, Projection... projections) {
        return new HostParts(
                scheduler,
                Instant.MIN,
                clock,
                BatchLog.discarding(),
                HistoryRecorder.NONE,
                List.of(projections),
                HostListener.NONE,
                HostLimits.DEFAULT);
    }
}
