package dev.sluice.core.state;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reservations of a partition: at most one for each leaf queue, and at most one on each node.
 *
 * <p>They name queues, tasks and nodes, which may have gone since the last cycle; the next cycle ends such reservations
 * or plans them again.
 */
public final class Reservations {

    private final Map<String, Reservation> byQueue = new LinkedHashMap<>();
    private final Map<String, Reservation> byNode = new HashMap<>();

    Reservations() {}

    public boolean isEmpty() {
        return byQueue.isEmpty();
    }

    /** Returns all reservations in the order in which they were made first. */
    public Collection<Reservation> all() {
        return Collections.unmodifiableCollection(byQueue.values());
    }

    /** Returns the reservation for a task of this leaf queue, or null. */
    public @Nullable Reservation ofQueue(String path) {
        return byQueue.get(path);
    }

    /** Returns the reservation on this node, or null. */
    public @Nullable Reservation onNode(String name) {
        return byNode.get(name);
    }

    /** Adds a reservation in place of the one of the same queue. */
    void put(Reservation reservation) {
        Reservation former = byQueue.put(reservation.queue(), reservation);
        if (former != null) {
            former.capacity().forEach(part -> byNode.remove(part.node()));
        }
        for (ReservedCapacity part : reservation.capacity()) {
            if (byNode.put(part.node(), reservation) != null) {
                throw new IllegalStateException("node " + part.node() + " has several reservations");
            }
        }
    }

    /** Removes the reservation of the same queue. */
    void remove(Reservation reservation) {
        Reservation former = byQueue.remove(reservation.queue());
        if (former == null) {
            throw new IllegalStateException("queue " + reservation.queue() + " has no reservation");
        }
        former.capacity().forEach(part -> byNode.remove(part.node()));
    }

    void writeTo(PartitionCheckpointWriter out) {
        StateSink sink = out.sink();
        sink.number(byQueue.size());
        for (Reservation reservation : byQueue.values()) {
            write(out, reservation.task());
            sink.text(reservation.origin().queue());
            sink.text(reservation.origin().user());
            sink.instant(reservation.origin().submitted());
            sink.number(reservation.capacity().size());
            for (ReservedCapacity part : reservation.capacity()) {
                sink.text(part.node());
                sink.resources(part.resources());
            }
            sink.instant(reservation.start());
            sink.instant(reservation.since());
            sink.number(reservation.delays());
            RunRef overrun = reservation.overrun();
            sink.flag(overrun != null);
            if (overrun != null) {
                write(out, overrun.task());
                sink.number(overrun.attempt());
            }
        }
    }

    private static void write(PartitionCheckpointWriter out, TaskRef task) {
        out.sink().text(task.application());
        out.sink().text(task.task());
        out.sink().number(task.index());
    }

    void readFrom(PartitionCheckpointReader in, String partition) {
        StateSource source = in.source();
        for (int left = in.count(); left > 0; left--) {
            TaskRef task = readTask(in, partition);
            ApplicationOrigin origin = new ApplicationOrigin(source.text(), source.text(), in.instant());
            List<ReservedCapacity> capacity = new ArrayList<>();
            for (int parts = in.number(1); parts > 0; parts--) {
                capacity.add(new ReservedCapacity(source.text(), source.resources()));
            }
            Instant start = in.instant();
            Instant since = in.instant();
            int delays = in.count();
            RunRef overrun = source.flag() ? new RunRef(readTask(in, partition), in.count()) : null;
            put(new Reservation(task, origin, capacity, start, since, delays, overrun));
        }
    }

    private static TaskRef readTask(PartitionCheckpointReader in, String partition) {
        return new TaskRef(partition, in.source().text(), in.source().text(), in.number(TaskRef.SINGLE));
    }
}
