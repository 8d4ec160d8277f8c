package dev.sluice.core.state;

import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Capacity that is reserved for a pending task from the time at which it is expected to be free.
 *
 * @param task the task, its holder; tasks of the same application, resources, priority and constraints may use the
 *     reservation in its place. Of a gang that waits it is the first member, and the reservation is for all of them
 * @param origin the origin of its application
 * @param capacity what is reserved on which nodes
 * @param start when the task is expected to start there
 * @param since when a reservation was first made for the task
 * @param delays how many times the start was put off
 * @param overrun the run that lasted longer than expected when the start was last put off, or null
 */
public record Reservation(
        TaskRef task,
        ApplicationOrigin origin,
        List<ReservedCapacity> capacity,
        Instant start,
        Instant since,
        int delays,
        @Nullable RunRef overrun) {

    /** Copies origin and list; throws {@link IllegalArgumentException} if the list is empty. */
    public Reservation {
        // an object of its own, because the application may be forgotten
        origin = new ApplicationOrigin(origin.queue(), origin.user(), origin.submitted());
        capacity = List.copyOf(capacity);
        if (capacity.isEmpty()) {
            throw new IllegalArgumentException("a reservation needs at least one node");
        }
    }

    /** Returns the path of the leaf queue of its task, which has no other reservation. */
    public String queue() {
        return origin.queue();
    }

    /** Returns the name of its first node. */
    public String node() {
        return capacity.get(0).node();
    }

    /** Returns the names of its nodes: one for a single task, one or several for a gang. */
    public List<String> nodes() {
        return capacity.stream().map(ReservedCapacity::node).toList();
    }
}
