package dev.sluice.server.metrics;

import dev.sluice.core.state.Event;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEnd;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.runtime.host.Projection;
import dev.sluice.runtime.journal.JournalEntry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Counts the reservations that are made, how often their starts are put off, and why they end. How many there are is a
 * cluster gauge.
 */
final class ReservationMetrics implements Projection {

    private final Counter made;
    private final Counter delays;
    private final Map<ReservationEnd, Counter> ended = new EnumMap<>(ReservationEnd.class);

    /** The number of delays of the current reservations; those made before the start of the server follow later. */
    private final Map<LeafQueue, Integer> current = new HashMap<>();

    ReservationMetrics(MeterRegistry registry) {
        made = Counter.builder("sluice.reservations.made")
                .description("Reservations made for pending tasks and gangs; those planned again are not counted.")
                .register(registry);
        delays = Counter.builder("sluice.reservations.delays")
                .description("Times that the start of a reservation was put off.")
                .register(registry);
        for (ReservationEnd reason : ReservationEnd.values()) {
            ended.put(
                    reason,
                    Counter.builder("sluice.reservations.ended")
                            .description("Reservations ended.")
                            .tag("reason", reason.wireName())
                            .register(registry));
        }
    }

    @Override
    public void committed(long first, List<JournalEntry> entries) {
        for (JournalEntry entry : entries) {
            for (Event event : entry.events()) {
                if (event instanceof ReservationEvent.Made planned) {
                    planned(planned);
                } else if (event instanceof ReservationEvent.Ended end) {
                    current.remove(LeafQueue.of(end));
                    Objects.requireNonNull(ended.get(end.reason())).increment();
                }
            }
        }
    }

    private void planned(ReservationEvent.Made event) {
        Reservation reservation = event.reservation();
        Integer before = current.put(LeafQueue.of(event), reservation.delays());
        if (reservation.since().equals(event.at())) {
            made.increment();
        } else if (before != null && reservation.delays() > before) {
            delays.increment(reservation.delays() - before);
        }
    }

    /** A leaf queue, which has one reservation at most. */
    private record LeafQueue(String partition, String path) {

        static LeafQueue of(ReservationEvent event) {
            return new LeafQueue(event.partition(), event.reservation().queue());
        }
    }
}
