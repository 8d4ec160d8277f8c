package dev.sluice.core.engine;

import dev.sluice.core.schedule.PartitionSchedule;
import dev.sluice.core.schedule.Turn;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Node;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.Queue;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One pass of the scheduler over one partition.
 *
 * <p>The steps are: 1 expire what is due; 2 tell every share policy what is free, and stop what rebalancing names; 3 take the next
 * leaf by walking the share policies down from root; 4 take its next application, and that application's next task; 5 find the
 * first node, in node order, with room for it; 6 place it, or pass over its shape for this cycle; 7 repeat from 3 until nothing
 * fits or nothing is left that may be placed.
 */
final class Cycle {

    private final Partition partition;
    private final PartitionSchedule schedule;
    private final Emitter emitter;
    private final Lifecycle lifecycle;
    private final Instant now;

    Cycle(Partition partition, PartitionSchedule schedule, Emitter emitter, Lifecycle lifecycle, Instant now) {
        this.partition = partition;
        this.schedule = schedule;
        this.emitter = emitter;
        this.lifecycle = lifecycle;
        this.now = now;
    }

    void run() {
        new Expiry(emitter, lifecycle).expireDue(partition, now); // 1
        schedule.beginCycle();
        schedule.beginPolicies(new Opening(partition, schedule, emitter, lifecycle, now)); // 2
        Turn turn = next();
        while (turn != null && partition.throttleRoom() > 0) {
            if (mayStart(turn)) {
                placeOrPassOver(turn); // 5, 6
            }
            turn = next(); // 7
        }
    }

    /** The next leaf, application and task, or null when nothing fits or nothing is left. */
    private @Nullable Turn next() {
        return schedule.anythingFits() ? schedule.next() : null; // 3, 4
    }

    /** Whether the queues above allow the task; otherwise passes over it, or over its whole application. */
    private boolean mayStart(Turn turn) {
        Application application = turn.application();
        if (!application.isActive() && application.queue().fullOfApplications() != null) {
            schedule.passOverApplication(turn);
            return false;
        }
        Queue over = application.queue().overMax(turn.demand());
        if (over != null) {
            schedule.passOverMax(turn, over);
            return false;
        }
        return !schedule.passOverBudget(turn);
    }

    private void placeOrPassOver(Turn turn) {
        Node node = schedule.firstWithRoom(turn); // 5
        if (node == null) {
            schedule.passOver(turn); // 6
        } else {
            place(turn, node); // 6
        }
    }

    private void place(Turn turn, Node node) {
        TaskGroup group = turn.group();
        Application application = turn.application();
        TaskEvent.Placed placed = new TaskEvent.Placed(
                partition.name(),
                application.id(),
                group.name(),
                turn.index(),
                node.name(),
                node.mustHold(turn.demand()),
                now);
        emitter.emit(placed, partition, group, node);
        schedule.placed(turn);
        lifecycle.settle(partition, application, now);
    }

    /** When the partition is due for a cycle even if nothing happens, or null. */
    static @Nullable Instant nextDue(Partition partition) {
        var timer = partition.nextTimer();
        return timer == null ? null : timer.due();
    }
}
