package dev.sluice.core.state;

import java.time.Instant;

/** An event of a reservation. */
public sealed interface ReservationEvent extends Event {

    /** Returns the reservation after it was made, or before it ended. */
    Reservation reservation();

    @Override
    default String partition() {
        return reservation().task().partition();
    }

    /** Capacity was reserved for a pending task, or a reservation was planned again: it replaces that of its queue. */
    record Made(Reservation reservation, Instant at) implements ReservationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition()).reserve(reservation);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.reservationMade(this);
        }
    }

    /** A reservation ended. */
    record Ended(Reservation reservation, ReservationEnd reason, Instant at) implements ReservationEvent {

        @Override
        public void apply(SchedulerState state) {
            state.existing(partition()).endReservation(reservation);
        }

        @Override
        public <R> R accept(EventVisitor<R> visitor) {
            return visitor.reservationEnded(this);
        }
    }
}
