package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservedCapacity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Encodes reservations. Their origin is written in full, because a replay skips the references of other events. */
final class ReservationCodec {

    private static final int OVERRUN = 1;

    private ReservationCodec() {}

    static void write(ValueWriter to, Reservation reservation, Instant at) {
        BinaryWriter out = to.out;
        RunRef overrun = reservation.overrun();
        out.number(bit(OVERRUN, overrun));
        writeTask(out, reservation.task());
        out.text(reservation.origin().queue());
        out.text(reservation.origin().user());
        out.instantBefore(at, reservation.origin().submitted());
        out.number(reservation.capacity().size());
        for (ReservedCapacity part : reservation.capacity()) {
            out.text(part.node());
            to.resources(part.resources());
        }
        out.instant(reservation.start());
        out.instantBefore(at, reservation.since());
        out.number(reservation.delays());
        if (overrun != null) {
            writeTask(out, overrun.task());
            out.number(overrun.attempt());
        }
    }

    private static void writeTask(BinaryWriter out, TaskRef task) {
        out.text(task.application());
        out.text(task.task());
        out.number(task.index() + 1L);
    }

    static Reservation read(ValueReader from, String partition, Instant at) {
        BinaryReader in = from.in;
        int fields = PresenceBits.read(in, OVERRUN, "reservation");
        TaskRef task = readTask(in, partition);
        String queue = in.text();
        String user = in.text();
        ApplicationOrigin origin = new ApplicationOrigin(queue, user, in.instantBefore(at));
        List<ReservedCapacity> capacity = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            String node = in.text();
            capacity.add(new ReservedCapacity(node, from.resources()));
        }
        Instant start = in.instant();
        Instant since = in.instantBefore(at);
        int delays = in.integer();
        RunRef overrun = has(fields, OVERRUN) ? new RunRef(readTask(in, partition), in.integer()) : null;
        return new Reservation(task, origin, capacity, start, since, delays, overrun);
    }

    private static TaskRef readTask(BinaryReader in, String partition) {
        String application = in.text();
        String name = in.text();
        return new TaskRef(partition, application, name, Math.toIntExact(in.number() - 1));
    }
}
