package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.SortedMap;

/** Decodes the events that an {@link EventWriter} encoded, and those of format 1. */
final class EventReader {

    private final ValueReader from;
    private final BinaryReader in;
    private boolean isFormat1;
    private boolean isForReplay;
    private String partition = "";

    EventReader(ValueReader from) {
        this.from = from;
        this.in = from.in;
    }

    /**
     * Starts reading the events of a batch.
     *
     * @param forReplay whether to skip what applying an event does not use; the events are then like those of format 1
     */
    void open(int format, boolean forReplay) {
        isFormat1 = format == 1;
        isForReplay = forReplay;
        partition = "";
    }

    /** Reads the next event of the batch. */
    Event read() {
        int head = in.integer();
        Instant at = has(head, EventFormat.SAME_INSTANT) ? in.latest() : in.instant();
        if (!has(head, EventFormat.SAME_PARTITION)) {
            partition = in.text();
        }
        int kind = head >>> EventFormat.KIND_SHIFT;
        return switch (kind) {
            case EventFormat.PLACED,
                    EventFormat.RELEASED,
                    EventFormat.STARTED,
                    EventFormat.SUSPENDED,
                    EventFormat.RESUMED,
                    EventFormat.STOPPING,
                    EventFormat.PREEMPTED,
                    EventFormat.ENDED,
                    EventFormat.DROPPED,
                    EventFormat.RETRY_DUE -> task(kind, at);
            case EventFormat.SUBMITTED -> submitted(at);
            case EventFormat.TASKS_ADDED,
                    EventFormat.SEALED,
                    EventFormat.STATE_CHANGED,
                    EventFormat.TASKS_DROPPED,
                    EventFormat.HELD,
                    EventFormat.HOLD_RELEASED,
                    EventFormat.RETRIED,
                    EventFormat.START_TIME_REACHED,
                    EventFormat.DEPENDENCY_ENDED,
                    EventFormat.APPLICATION_UPDATED,
                    EventFormat.GANG_STARTED,
                    EventFormat.GANG_TIMED_OUT -> application(kind, at);
            case EventFormat.REGISTERED,
                    EventFormat.UPDATED,
                    EventFormat.TAKEN_OFFLINE,
                    EventFormat.REINSTATED,
                    EventFormat.HEALTH_CHANGED,
                    EventFormat.NODE_REMOVED,
                    EventFormat.TAINTED -> node(kind, at);
            default -> partition(kind, at);
        };
    }

    /** Format 1 has neither run nor origin, and 0 as the index of a single task. */
    private Event task(int kind, Instant at) {
        TaskRef task = taskRef();
        if (kind == EventFormat.RETRY_DUE) {
            return new TaskEvent.RetryDue(task, origin(at), at);
        }
        if (kind == EventFormat.DROPPED) {
            ApplicationOrigin origin = origin(at);
            return new TaskEvent.Dropped(task, origin, in.text(), at);
        }
        boolean reserved = false;
        Allocation allocation;
        if (!isFormat1) {
            allocation = isForReplay ? withoutOrigin(kind, task, at) : allocation(kind, task, at);
            reserved = kind == EventFormat.PLACED && reserved();
        } else if (kind == EventFormat.PLACED) {
            reserved = reserved();
            allocation = unknown(task, in.text(), at);
        } else {
            allocation = unknown(task, "", Instant.EPOCH);
        }
        return switch (kind) {
            case EventFormat.PLACED -> new TaskEvent.Placed(allocation, reserved);
            case EventFormat.RELEASED -> new TaskEvent.Released(allocation, at);
            case EventFormat.STARTED -> new TaskEvent.Started(allocation, at);
            case EventFormat.SUSPENDED -> new TaskEvent.Suspended(allocation, at);
            case EventFormat.RESUMED -> new TaskEvent.Resumed(allocation, at);
            case EventFormat.STOPPING -> new TaskEvent.Stopping(allocation, EnumCodec.STOP_REASON.read(in), at);
            case EventFormat.PREEMPTED ->
                new TaskEvent.Stopping(allocation, EnumCodec.STOP_REASON.read(in), taskRef(), at);
            default -> ended(allocation, at);
        };
    }

    private TaskRef taskRef() {
        String application = in.text();
        String name = in.text();
        long index = in.number();
        return new TaskRef(partition, application, name, Math.toIntExact(isFormat1 ? index : index - 1));
    }

    private static Allocation unknown(TaskRef task, String node, Instant placed) {
        return new Allocation(RunRef.current(task), node, ApplicationOrigin.UNKNOWN, placed, null);
    }

    private boolean reserved() {
        return has(PresenceBits.read(in, EventFormat.PLACED_RESERVED, "placement"), EventFormat.PLACED_RESERVED);
    }

    private Allocation allocation(int kind, TaskRef task, Instant at) {
        long attempt = in.number();
        String node = in.text();
        ApplicationOrigin origin = from.origin(at);
        Instant placed = kind == EventFormat.PLACED ? at : in.instantBefore(at);
        Instant started = (attempt & 1) == 0 ? null : in.instantBefore(at);
        return new Allocation(new RunRef(task, Math.toIntExact(attempt >>> 1)), node, origin, placed, started);
    }

    private Allocation withoutOrigin(int kind, TaskRef task, Instant at) {
        long attempt = in.number();
        String node = "";
        if (kind == EventFormat.PLACED) {
            node = in.text();
        } else {
            in.skipText();
        }
        from.skipOrigin();
        if (kind != EventFormat.PLACED) {
            in.skipInstantBefore();
        }
        if ((attempt & 1) != 0) {
            in.skipInstantBefore();
        }
        return unknown(task, node, at);
    }

    private Event ended(Allocation allocation, Instant at) {
        int fields = PresenceBits.read(in, EventFormat.ENDED_ALL, "task's end");
        TaskOutcome outcome = EnumCodec.TASK_OUTCOME.read(in);
        Integer exitCode = has(fields, EventFormat.ENDED_EXIT_CODE) ? Integer.valueOf(in.signedInteger()) : null;
        String detail = has(fields, EventFormat.ENDED_DETAIL) ? in.text() : "";
        Instant retryAt = has(fields, EventFormat.ENDED_RETRY_AT) ? in.instant() : null;
        Resources held = has(fields, EventFormat.ENDED_HELD) ? from.resources() : null;
        boolean again = has(fields, EventFormat.ENDED_AGAIN);
        return new TaskEvent.Ended(allocation, outcome, exitCode, detail, again, retryAt, held, at);
    }

    private ApplicationOrigin origin(Instant at) {
        if (!isFormat1 && !isForReplay) {
            return from.origin(at);
        }
        if (!isFormat1) {
            from.skipOrigin();
        }
        return ApplicationOrigin.UNKNOWN;
    }

    private Event submitted(Instant at) {
        int fields = PresenceBits.read(in, EventFormat.SUBMITTED_ALL, "submission");
        ApplicationSpec spec = TaskCodec.readApplication(from);
        String queue = has(fields, EventFormat.SUBMITTED_QUEUE) ? in.text() : null;
        long number = has(fields, EventFormat.SUBMITTED_NUMBER) ? in.number() : 0;
        return new ApplicationEvent.Submitted(partition, spec, queue, at, number);
    }

    private Event application(int kind, Instant at) {
        String application = in.text();
        ApplicationOrigin origin = origin(at);
        return switch (kind) {
            case EventFormat.TASKS_ADDED ->
                new ApplicationEvent.TasksAdded(partition, application, origin, TaskCodec.readTasks(from), at);
            case EventFormat.SEALED -> new ApplicationEvent.Sealed(partition, application, origin, at);
            case EventFormat.HELD -> new ApplicationEvent.Held(partition, application, origin, at);
            case EventFormat.HOLD_RELEASED -> new ApplicationEvent.HoldReleased(partition, application, origin, at);
            case EventFormat.START_TIME_REACHED ->
                new ApplicationEvent.StartTimeReached(partition, application, origin, at);
            case EventFormat.DEPENDENCY_ENDED ->
                new ApplicationEvent.DependencyEnded(partition, application, origin, in.text(), at);
            case EventFormat.APPLICATION_UPDATED ->
                new ApplicationEvent.Updated(partition, application, origin, TaskCodec.readUpdate(from), at);
            case EventFormat.GANG_STARTED -> {
                int members = in.integer();
                yield new ApplicationEvent.GangStarted(
                        partition, application, origin, members, in.instantBefore(at), at);
            }
            case EventFormat.GANG_TIMED_OUT -> new ApplicationEvent.GangTimedOut(partition, application, origin, at);
            case EventFormat.RETRIED -> {
                int fields = PresenceBits.read(in, EventFormat.RETRIED_ALL, "retry");
                boolean all = has(fields, EventFormat.RETRIED_ALL);
                yield new ApplicationEvent.Retried(partition, application, origin, all, at);
            }
            case EventFormat.STATE_CHANGED -> {
                ApplicationState before = EnumCodec.APPLICATION_STATE.read(in);
                ApplicationState after = EnumCodec.APPLICATION_STATE.read(in);
                yield new ApplicationEvent.StateChanged(partition, application, origin, before, after, in.text(), at);
            }
            default -> {
                String tasks = in.text();
                yield new ApplicationEvent.TasksDropped(partition, application, origin, tasks, in.text(), at);
            }
        };
    }

    private Event node(int kind, Instant at) {
        String node = in.text();
        switch (kind) {
            case EventFormat.REGISTERED -> {
                Resources capacity = from.resources();
                SortedMap<String, String> labels = from.namedTexts();
                return new NodeEvent.Registered(partition, node, capacity, labels, at);
            }
            case EventFormat.UPDATED -> {
                Resources capacity = from.resources();
                SortedMap<String, String> labels = from.namedTexts();
                return new NodeEvent.Updated(partition, node, capacity, labels, at);
            }
            case EventFormat.TAINTED -> {
                return new NodeEvent.Tainted(partition, node, ConstraintsCodec.readTaints(from), at);
            }
            case EventFormat.TAKEN_OFFLINE -> {
                return new NodeEvent.TakenOffline(partition, node, at);
            }
            case EventFormat.REINSTATED -> {
                return new NodeEvent.Reinstated(partition, node, at);
            }
            case EventFormat.HEALTH_CHANGED -> {
                int fields = PresenceBits.read(in, EventFormat.HEALTH_FLAKY_SINCE, "node's health");
                NodeHealth before = EnumCodec.NODE_HEALTH.read(in);
                NodeHealth after = EnumCodec.NODE_HEALTH.read(in);
                Instant flakySince = has(fields, EventFormat.HEALTH_FLAKY_SINCE) ? in.instant() : null;
                return new NodeEvent.HealthChanged(partition, node, before, after, flakySince, at);
            }
            default -> {
                return new NodeEvent.Removed(partition, node, at);
            }
        }
    }

    private Event partition(int kind, Instant at) {
        return switch (kind) {
            case EventFormat.CONFIGURED -> new PartitionEvent.Configured(ConfigurationCodec.readPartition(from), at);
            case EventFormat.PARTITION_REMOVED -> new PartitionEvent.Removed(partition, at);
            case EventFormat.QUEUE_CREATED -> new PartitionEvent.QueueCreated(partition, in.text(), at);
            case EventFormat.THROTTLED -> new PartitionEvent.Throttled(partition, in.signedInteger(), at);
            case EventFormat.SEEDED -> new PartitionEvent.Seeded(partition, in.signed(), at);
            case EventFormat.USAGE_PRIORITY_SET -> {
                String path = in.text();
                yield new PartitionEvent.UsagePrioritySet(partition, path, in.decimal(), at);
            }
            case EventFormat.SPREAD_EXCEEDED -> new PartitionEvent.SpreadExceeded(partition, in.text(), at);
            case EventFormat.REBALANCE_DUE -> new PartitionEvent.RebalanceDue(partition, in.text(), at);
            case EventFormat.SPREAD_RETURNED -> new PartitionEvent.SpreadReturned(partition, in.text(), at);
            case EventFormat.REBALANCED -> new PartitionEvent.Rebalanced(partition, in.text(), at);
            case EventFormat.QUEUE_REMOVED -> new PartitionEvent.QueueRemoved(partition, in.text(), at);
            case EventFormat.RESERVATION_MADE ->
                new ReservationEvent.Made(ReservationCodec.read(from, partition, at), at);
            case EventFormat.RESERVATION_ENDED -> {
                Reservation reservation = ReservationCodec.read(from, partition, at);
                yield new ReservationEvent.Ended(reservation, EnumCodec.RESERVATION_END.read(in), at);
            }
            case EventFormat.MAXIMUM_EXCEEDED -> new PartitionEvent.MaximumExceeded(partition, in.text(), at);
            case EventFormat.QUEUE_QUOTAS_SET -> {
                String path = in.text();
                Resources guaranteed = from.resources();
                Resources max = from.resources();
                yield new PartitionEvent.QueueQuotasSet(partition, path, guaranteed, max, in.number(), at);
            }
            default ->
                throw new IllegalStateException("unknown event number " + kind + "; it may be from a later release");
        };
    }
}
