package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;

import dev.sluice.core.application.TaskRef;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.EventVisitor;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.TaskEvent;
import java.time.Instant;
import java.util.SortedMap;

/**
 * Encodes events: the kind, the instant and the partition where they differ from those of the event before, then the
 * fields of the kind. Every method returns the writer of the bytes.
 */
final class EventWriter implements EventVisitor<BinaryWriter> {

    private final ValueWriter to;
    private final BinaryWriter out;
    private String partition = "";

    EventWriter(ValueWriter to) {
        this.to = to;
        this.out = to.out;
    }

    /** Writes an event that follows one of this partition. */
    void write(Event event, String partitionBefore) {
        partition = partitionBefore;
        event.accept(this);
    }

    private void head(int kind, Event event) {
        boolean sameInstant = out.isLatest(event.at());
        boolean samePartition = event.partition().equals(partition);
        out.number(((long) kind << EventFormat.KIND_SHIFT)
                | bit(EventFormat.SAME_INSTANT, sameInstant)
                | bit(EventFormat.SAME_PARTITION, samePartition));
        if (!sameInstant) {
            out.instant(event.at());
        }
        if (!samePartition) {
            out.text(event.partition());
        }
    }

    private void task(TaskRef task) {
        out.text(task.application());
        out.text(task.task());
        out.number(task.index() + 1L);
    }

    /** Writes an allocation; its instants as durations before that of the event. */
    private void run(int kind, TaskEvent.RunEvent event) {
        head(kind, event);
        Allocation allocation = event.allocation();
        task(allocation.run().task());
        Instant started = allocation.started();
        out.number((long) allocation.run().attempt() << 1 | (started == null ? 0 : 1));
        out.text(allocation.node());
        to.origin(allocation.origin(), event.at());
        if (kind != EventFormat.PLACED) {
            out.instantBefore(event.at(), allocation.placed());
        }
        if (started != null) {
            out.instantBefore(event.at(), started);
        }
    }

    @Override
    public BinaryWriter placed(TaskEvent.Placed event) {
        run(EventFormat.PLACED, event);
        out.number(bit(EventFormat.PLACED_RESERVED, event.reserved()));
        return out;
    }

    @Override
    public BinaryWriter released(TaskEvent.Released event) {
        run(EventFormat.RELEASED, event);
        return out;
    }

    @Override
    public BinaryWriter started(TaskEvent.Started event) {
        run(EventFormat.STARTED, event);
        return out;
    }

    @Override
    public BinaryWriter suspended(TaskEvent.Suspended event) {
        run(EventFormat.SUSPENDED, event);
        return out;
    }

    @Override
    public BinaryWriter resumed(TaskEvent.Resumed event) {
        run(EventFormat.RESUMED, event);
        return out;
    }

    @Override
    public BinaryWriter stopping(TaskEvent.Stopping event) {
        TaskRef beneficiary = event.beneficiary();
        run(beneficiary == null ? EventFormat.STOPPING : EventFormat.PREEMPTED, event);
        EnumCodec.STOP_REASON.write(out, event.reason());
        if (beneficiary != null) {
            task(beneficiary);
        }
        return out;
    }

    @Override
    public BinaryWriter ended(TaskEvent.Ended event) {
        run(EventFormat.ENDED, event);
        out.number(bit(EventFormat.ENDED_AGAIN, event.again())
                | bit(EventFormat.ENDED_EXIT_CODE, event.exitCode())
                | bit(EventFormat.ENDED_DETAIL, !event.detail().isEmpty())
                | bit(EventFormat.ENDED_RETRY_AT, event.retryAt())
                | bit(EventFormat.ENDED_HELD, event.held()));
        EnumCodec.TASK_OUTCOME.write(out, event.outcome());
        if (event.exitCode() != null) {
            out.signed(event.exitCode());
        }
        if (!event.detail().isEmpty()) {
            out.text(event.detail());
        }
        if (event.retryAt() != null) {
            out.instant(event.retryAt());
        }
        if (event.held() != null) {
            to.resources(event.held());
        }
        return out;
    }

    @Override
    public BinaryWriter retryDue(TaskEvent.RetryDue event) {
        head(EventFormat.RETRY_DUE, event);
        task(event.task());
        to.origin(event.origin(), event.at());
        return out;
    }

    @Override
    public BinaryWriter dropped(TaskEvent.Dropped event) {
        head(EventFormat.DROPPED, event);
        task(event.task());
        to.origin(event.origin(), event.at());
        out.text(event.reason());
        return out;
    }

    private void application(int kind, ApplicationEvent event) {
        head(kind, event);
        out.text(event.application());
        to.origin(event.origin(), event.at());
    }

    @Override
    public BinaryWriter submitted(ApplicationEvent.Submitted event) {
        head(EventFormat.SUBMITTED, event);
        out.number(bit(EventFormat.SUBMITTED_QUEUE, event.queue())
                | bit(EventFormat.SUBMITTED_NUMBER, event.number() > 0));
        TaskCodec.writeApplication(to, event.spec(), event.spec().tasks());
        if (event.queue() != null) {
            out.text(event.queue());
        }
        if (event.number() > 0) {
            out.number(event.number());
        }
        return out;
    }

    @Override
    public BinaryWriter tasksAdded(ApplicationEvent.TasksAdded event) {
        application(EventFormat.TASKS_ADDED, event);
        TaskCodec.writeTasks(to, event.tasks());
        return out;
    }

    @Override
    public BinaryWriter sealed(ApplicationEvent.Sealed event) {
        application(EventFormat.SEALED, event);
        return out;
    }

    @Override
    public BinaryWriter held(ApplicationEvent.Held event) {
        application(EventFormat.HELD, event);
        return out;
    }

    @Override
    public BinaryWriter holdReleased(ApplicationEvent.HoldReleased event) {
        application(EventFormat.HOLD_RELEASED, event);
        return out;
    }

    @Override
    public BinaryWriter startTimeReached(ApplicationEvent.StartTimeReached event) {
        application(EventFormat.START_TIME_REACHED, event);
        return out;
    }

    @Override
    public BinaryWriter dependencyEnded(ApplicationEvent.DependencyEnded event) {
        application(EventFormat.DEPENDENCY_ENDED, event);
        out.text(event.awaited());
        return out;
    }

    @Override
    public BinaryWriter updated(ApplicationEvent.Updated event) {
        application(EventFormat.APPLICATION_UPDATED, event);
        TaskCodec.writeUpdate(to, event.update());
        return out;
    }

    @Override
    public BinaryWriter retried(ApplicationEvent.Retried event) {
        application(EventFormat.RETRIED, event);
        out.number(bit(EventFormat.RETRIED_ALL, event.all()));
        return out;
    }

    @Override
    public BinaryWriter stateChanged(ApplicationEvent.StateChanged event) {
        application(EventFormat.STATE_CHANGED, event);
        EnumCodec.APPLICATION_STATE.write(out, event.from());
        EnumCodec.APPLICATION_STATE.write(out, event.to());
        out.text(event.reason());
        return out;
    }

    @Override
    public BinaryWriter tasksDropped(ApplicationEvent.TasksDropped event) {
        application(EventFormat.TASKS_DROPPED, event);
        out.text(event.tasks());
        out.text(event.reason());
        return out;
    }

    private BinaryWriter node(int kind, NodeEvent event) {
        head(kind, event);
        out.text(event.node());
        return out;
    }

    private BinaryWriter node(int kind, NodeEvent event, Resources capacity, SortedMap<String, String> labels) {
        node(kind, event);
        to.resources(capacity);
        to.texts(labels);
        return out;
    }

    @Override
    public BinaryWriter nodeRegistered(NodeEvent.Registered event) {
        return node(EventFormat.REGISTERED, event, event.capacity(), event.labels());
    }

    @Override
    public BinaryWriter nodeUpdated(NodeEvent.Updated event) {
        return node(EventFormat.UPDATED, event, event.capacity(), event.labels());
    }

    @Override
    public BinaryWriter nodeTainted(NodeEvent.Tainted event) {
        node(EventFormat.TAINTED, event);
        ConstraintsCodec.writeTaints(to, event.taints());
        return out;
    }

    @Override
    public BinaryWriter nodeTakenOffline(NodeEvent.TakenOffline event) {
        return node(EventFormat.TAKEN_OFFLINE, event);
    }

    @Override
    public BinaryWriter nodeReinstated(NodeEvent.Reinstated event) {
        return node(EventFormat.REINSTATED, event);
    }

    @Override
    public BinaryWriter nodeHealthChanged(NodeEvent.HealthChanged event) {
        node(EventFormat.HEALTH_CHANGED, event);
        out.number(bit(EventFormat.HEALTH_FLAKY_SINCE, event.flakySince()));
        EnumCodec.NODE_HEALTH.write(out, event.from());
        EnumCodec.NODE_HEALTH.write(out, event.to());
        if (event.flakySince() != null) {
            out.instant(event.flakySince());
        }
        return out;
    }

    @Override
    public BinaryWriter nodeRemoved(NodeEvent.Removed event) {
        return node(EventFormat.NODE_REMOVED, event);
    }

    @Override
    public BinaryWriter partitionConfigured(PartitionEvent.Configured event) {
        head(EventFormat.CONFIGURED, event);
        ConfigurationCodec.writePartition(to, event.configuration());
        return out;
    }

    @Override
    public BinaryWriter partitionRemoved(PartitionEvent.Removed event) {
        head(EventFormat.PARTITION_REMOVED, event);
        return out;
    }

    @Override
    public BinaryWriter partitionThrottled(PartitionEvent.Throttled event) {
        head(EventFormat.THROTTLED, event);
        out.signed(event.tasksMax());
        return out;
    }

    @Override
    public BinaryWriter partitionSeeded(PartitionEvent.Seeded event) {
        head(EventFormat.SEEDED, event);
        out.signed(event.seed());
        return out;
    }

    @Override
    public BinaryWriter usagePrioritySet(PartitionEvent.UsagePrioritySet event) {
        queue(EventFormat.USAGE_PRIORITY_SET, event, event.path());
        out.decimal(event.priority());
        return out;
    }

    private BinaryWriter queue(int kind, PartitionEvent event, String path) {
        head(kind, event);
        out.text(path);
        return out;
    }

    @Override
    public BinaryWriter queueCreated(PartitionEvent.QueueCreated event) {
        return queue(EventFormat.QUEUE_CREATED, event, event.path());
    }

    @Override
    public BinaryWriter spreadExceeded(PartitionEvent.SpreadExceeded event) {
        return queue(EventFormat.SPREAD_EXCEEDED, event, event.path());
    }

    @Override
    public BinaryWriter rebalanceDue(PartitionEvent.RebalanceDue event) {
        return queue(EventFormat.REBALANCE_DUE, event, event.path());
    }

    @Override
    public BinaryWriter spreadReturned(PartitionEvent.SpreadReturned event) {
        return queue(EventFormat.SPREAD_RETURNED, event, event.path());
    }

    @Override
    public BinaryWriter rebalanced(PartitionEvent.Rebalanced event) {
        return queue(EventFormat.REBALANCED, event, event.path());
    }

    @Override
    public BinaryWriter queueRemoved(PartitionEvent.QueueRemoved event) {
        return queue(EventFormat.QUEUE_REMOVED, event, event.path());
    }

    @Override
    public BinaryWriter gangStarted(ApplicationEvent.GangStarted event) {
        application(EventFormat.GANG_STARTED, event);
        out.number(event.members());
        out.instantBefore(event.at(), event.waitingSince());
        return out;
    }

    @Override
    public BinaryWriter gangTimedOut(ApplicationEvent.GangTimedOut event) {
        application(EventFormat.GANG_TIMED_OUT, event);
        return out;
    }

    @Override
    public BinaryWriter maximumExceeded(PartitionEvent.MaximumExceeded event) {
        return queue(EventFormat.MAXIMUM_EXCEEDED, event, event.path());
    }

    @Override
    public BinaryWriter queueQuotasSet(PartitionEvent.QueueQuotasSet event) {
        queue(EventFormat.QUEUE_QUOTAS_SET, event, event.path());
        to.resources(event.guaranteed());
        to.resources(event.max());
        out.number(event.maxApplications());
        return out;
    }

    private BinaryWriter reservation(int kind, ReservationEvent event) {
        head(kind, event);
        ReservationCodec.write(to, event.reservation(), event.at());
        return out;
    }

    @Override
    public BinaryWriter reservationMade(ReservationEvent.Made event) {
        return reservation(EventFormat.RESERVATION_MADE, event);
    }

    @Override
    public BinaryWriter reservationEnded(ReservationEvent.Ended event) {
        reservation(EventFormat.RESERVATION_ENDED, event);
        EnumCodec.RESERVATION_END.write(out, event.reason());
        return out;
    }
}
