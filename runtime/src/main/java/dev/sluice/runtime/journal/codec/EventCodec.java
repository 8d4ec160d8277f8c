package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.application.StopReason;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.NodeHealth;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.core.state.TaskOutcome;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * Encodes and decodes events: the kind, the instant and the partition where they differ from those of the event before,
 * then the fields of the kind. Numbers and bits never change their meaning.
 */
final class EventCodec {

    private static final int CONFIGURED = 1;
    private static final int PARTITION_REMOVED = 2;
    private static final int QUEUE_CREATED = 3;
    private static final int THROTTLED = 4;
    private static final int SEEDED = 5;
    private static final int USAGE_PRIORITY_SET = 6;
    private static final int SPREAD_EXCEEDED = 7;
    private static final int REBALANCE_DUE = 8;
    private static final int SPREAD_RETURNED = 9;
    private static final int REBALANCED = 10;
    private static final int QUEUE_REMOVED = 11;
    private static final int REGISTERED = 12;
    private static final int UPDATED = 13;
    private static final int TAKEN_OFFLINE = 14;
    private static final int REINSTATED = 15;
    private static final int HEALTH_CHANGED = 16;
    private static final int NODE_REMOVED = 17;
    private static final int SUBMITTED = 18;
    private static final int TASKS_ADDED = 19;
    private static final int SEALED = 20;
    private static final int STATE_CHANGED = 21;
    private static final int TASKS_DROPPED = 22;
    private static final int PLACED = 23;
    private static final int RELEASED = 24;
    private static final int STARTED = 25;
    private static final int STOPPING = 26;
    private static final int ENDED = 27;
    private static final int DROPPED = 28;

    /** The two lowest bits, below the number of the kind. */
    private static final int SAME_INSTANT = 1;

    private static final int SAME_PARTITION = 1 << 1;
    private static final int KIND_SHIFT = 2;

    private static final int HEALTH_FLAKY_SINCE = 1;
    private static final int SUBMITTED_QUEUE = 1;
    private static final int PLACED_RESERVED = 1;
    private static final int ENDED_AGAIN = 1;
    private static final int ENDED_EXIT_CODE = 1 << 1;
    private static final int ENDED_DETAIL = 1 << 2;
    private static final int ENDED_ALL = (1 << 3) - 1;

    private EventCodec() {}

    static void write(ValueWriter to, Event event, String partitionBefore) {
        if (event instanceof TaskEvent ofTask) {
            writeTask(to.out, ofTask, partitionBefore);
        } else if (event instanceof ApplicationEvent ofApplication) {
            writeApplication(to, ofApplication, partitionBefore);
        } else if (event instanceof NodeEvent ofNode) {
            writeNode(to, ofNode, partitionBefore);
        } else {
            writePartition(to, (PartitionEvent) event, partitionBefore);
        }
    }

    private static void head(BinaryWriter out, int kind, Event event, String partitionBefore) {
        boolean sameInstant = out.isLatest(event.at());
        boolean samePartition = event.partition().equals(partitionBefore);
        out.number(kind << KIND_SHIFT | bit(SAME_INSTANT, sameInstant) | bit(SAME_PARTITION, samePartition));
        if (!sameInstant) {
            out.instant(event.at());
        }
        if (!samePartition) {
            out.text(event.partition());
        }
    }

    private static void writeTask(BinaryWriter out, TaskEvent event, String before) {
        if (event instanceof TaskEvent.Placed placed) {
            head(out, PLACED, event, before);
            task(out, event);
            out.number(bit(PLACED_RESERVED, placed.reserved()));
            out.text(placed.node());
        } else if (event instanceof TaskEvent.Started) {
            head(out, STARTED, event, before);
            task(out, event);
        } else if (event instanceof TaskEvent.Ended ended) {
            head(out, ENDED, event, before);
            task(out, event);
            out.number(bit(ENDED_AGAIN, ended.again())
                    | bit(ENDED_EXIT_CODE, ended.exitCode())
                    | bit(ENDED_DETAIL, !ended.detail().isEmpty()));
            EnumCodec.TASK_OUTCOME.write(out, ended.outcome());
            if (ended.exitCode() != null) {
                out.signed(ended.exitCode());
            }
            if (!ended.detail().isEmpty()) {
                out.text(ended.detail());
            }
        } else if (event instanceof TaskEvent.Stopping stopping) {
            head(out, STOPPING, event, before);
            task(out, event);
            EnumCodec.STOP_REASON.write(out, stopping.reason());
        } else if (event instanceof TaskEvent.Released) {
            head(out, RELEASED, event, before);
            task(out, event);
        } else if (event instanceof TaskEvent.Dropped dropped) {
            head(out, DROPPED, event, before);
            task(out, event);
            out.text(dropped.reason());
        } else {
            throw unknown(event);
        }
    }

    private static void task(BinaryWriter out, TaskEvent event) {
        out.text(event.application());
        out.text(event.task());
        out.number(event.index());
    }

    private static void writeApplication(ValueWriter to, ApplicationEvent event, String before) {
        BinaryWriter out = to.out;
        if (event instanceof ApplicationEvent.StateChanged changed) {
            head(out, STATE_CHANGED, event, before);
            out.text(changed.application());
            EnumCodec.APPLICATION_STATE.write(out, changed.from());
            EnumCodec.APPLICATION_STATE.write(out, changed.to());
            out.text(changed.reason());
        } else if (event instanceof ApplicationEvent.Submitted submitted) {
            head(out, SUBMITTED, event, before);
            out.number(bit(SUBMITTED_QUEUE, submitted.queue()));
            TaskCodec.writeApplication(to, submitted.spec(), submitted.spec().tasks());
            if (submitted.queue() != null) {
                out.text(submitted.queue());
            }
        } else if (event instanceof ApplicationEvent.TasksAdded added) {
            head(out, TASKS_ADDED, event, before);
            out.text(added.application());
            TaskCodec.writeTasks(to, added.tasks());
        } else if (event instanceof ApplicationEvent.Sealed) {
            head(out, SEALED, event, before);
            out.text(event.application());
        } else if (event instanceof ApplicationEvent.TasksDropped dropped) {
            head(out, TASKS_DROPPED, event, before);
            out.text(dropped.application());
            out.text(dropped.tasks());
            out.text(dropped.reason());
        } else {
            throw unknown(event);
        }
    }

    private static void writeNode(ValueWriter to, NodeEvent event, String before) {
        BinaryWriter out = to.out;
        if (event instanceof NodeEvent.Registered registered) {
            head(out, REGISTERED, event, before);
            out.text(event.node());
            to.resources(registered.capacity());
            to.texts(registered.labels());
        } else if (event instanceof NodeEvent.Updated updated) {
            head(out, UPDATED, event, before);
            out.text(event.node());
            to.resources(updated.capacity());
            to.texts(updated.labels());
        } else if (event instanceof NodeEvent.TakenOffline) {
            head(out, TAKEN_OFFLINE, event, before);
            out.text(event.node());
        } else if (event instanceof NodeEvent.Reinstated) {
            head(out, REINSTATED, event, before);
            out.text(event.node());
        } else if (event instanceof NodeEvent.HealthChanged changed) {
            head(out, HEALTH_CHANGED, event, before);
            out.text(event.node());
            out.number(bit(HEALTH_FLAKY_SINCE, changed.flakySince()));
            EnumCodec.NODE_HEALTH.write(out, changed.from());
            EnumCodec.NODE_HEALTH.write(out, changed.to());
            if (changed.flakySince() != null) {
                out.instant(changed.flakySince());
            }
        } else if (event instanceof NodeEvent.Removed) {
            head(out, NODE_REMOVED, event, before);
            out.text(event.node());
        } else {
            throw unknown(event);
        }
    }

    private static void writePartition(ValueWriter to, PartitionEvent event, String before) {
        BinaryWriter out = to.out;
        if (event instanceof PartitionEvent.Configured configured) {
            head(out, CONFIGURED, event, before);
            ConfigurationCodec.writePartition(to, configured.configuration());
        } else if (event instanceof PartitionEvent.Removed) {
            head(out, PARTITION_REMOVED, event, before);
        } else if (event instanceof PartitionEvent.Throttled throttled) {
            head(out, THROTTLED, event, before);
            out.signed(throttled.tasksMax());
        } else if (event instanceof PartitionEvent.Seeded seeded) {
            head(out, SEEDED, event, before);
            out.signed(seeded.seed());
        } else if (event instanceof PartitionEvent.UsagePrioritySet set) {
            head(out, USAGE_PRIORITY_SET, event, before);
            out.text(set.path());
            out.decimal(set.priority());
        } else if (event instanceof PartitionEvent.QueueCreated created) {
            queue(out, QUEUE_CREATED, event, created.path(), before);
        } else if (event instanceof PartitionEvent.SpreadExceeded exceeded) {
            queue(out, SPREAD_EXCEEDED, event, exceeded.path(), before);
        } else if (event instanceof PartitionEvent.RebalanceDue due) {
            queue(out, REBALANCE_DUE, event, due.path(), before);
        } else if (event instanceof PartitionEvent.SpreadReturned returned) {
            queue(out, SPREAD_RETURNED, event, returned.path(), before);
        } else if (event instanceof PartitionEvent.Rebalanced rebalanced) {
            queue(out, REBALANCED, event, rebalanced.path(), before);
        } else if (event instanceof PartitionEvent.QueueRemoved removed) {
            queue(out, QUEUE_REMOVED, event, removed.path(), before);
        } else {
            throw unknown(event);
        }
    }

    private static void queue(BinaryWriter out, int kind, PartitionEvent event, String path, String before) {
        head(out, kind, event, before);
        out.text(path);
    }

    private static IllegalArgumentException unknown(Event event) {
        return new IllegalArgumentException(event.getClass() + " has no event number in the codec");
    }

    static Event read(ValueReader from, String partitionBefore) {
        BinaryReader in = from.in;
        int head = in.integer();
        Instant at = has(head, SAME_INSTANT) ? in.latest() : in.instant();
        String partition = has(head, SAME_PARTITION) ? partitionBefore : in.text();
        int kind = head >>> KIND_SHIFT;
        return switch (kind) {
            case PLACED, RELEASED, STARTED, STOPPING, ENDED, DROPPED -> readTask(in, kind, partition, at);
            case SUBMITTED, TASKS_ADDED, SEALED, STATE_CHANGED, TASKS_DROPPED ->
                readApplication(from, kind, partition, at);
            case REGISTERED, UPDATED, TAKEN_OFFLINE, REINSTATED, HEALTH_CHANGED, NODE_REMOVED ->
                readNode(from, kind, partition, at);
            default -> readPartition(from, kind, partition, at);
        };
    }

    private static Event readTask(BinaryReader in, int kind, String partition, Instant at) {
        String application = in.text();
        String task = in.text();
        int index = in.integer();
        switch (kind) {
            case PLACED -> {
                boolean reserved = has(PresenceBits.read(in, PLACED_RESERVED, "placement"), PLACED_RESERVED);
                return new TaskEvent.Placed(partition, application, task, index, in.text(), reserved, at);
            }
            case RELEASED -> {
                return new TaskEvent.Released(partition, application, task, index, at);
            }
            case STARTED -> {
                return new TaskEvent.Started(partition, application, task, index, at);
            }
            case STOPPING -> {
                StopReason reason = EnumCodec.STOP_REASON.read(in);
                return new TaskEvent.Stopping(partition, application, task, index, reason, at);
            }
            case ENDED -> {
                int fields = PresenceBits.read(in, ENDED_ALL, "task's end");
                TaskOutcome outcome = EnumCodec.TASK_OUTCOME.read(in);
                Integer exitCode = has(fields, ENDED_EXIT_CODE) ? Integer.valueOf(in.signedInteger()) : null;
                String detail = has(fields, ENDED_DETAIL) ? in.text() : "";
                return new TaskEvent.Ended(
                        partition, application, task, index, outcome, exitCode, detail, has(fields, ENDED_AGAIN), at);
            }
            default -> {
                return new TaskEvent.Dropped(partition, application, task, index, in.text(), at);
            }
        }
    }

    private static Event readApplication(ValueReader from, int kind, String partition, Instant at) {
        BinaryReader in = from.in;
        if (kind == SUBMITTED) {
            int fields = PresenceBits.read(in, SUBMITTED_QUEUE, "submission");
            ApplicationSpec spec = TaskCodec.readApplication(from);
            return new ApplicationEvent.Submitted(partition, spec, has(fields, SUBMITTED_QUEUE) ? in.text() : null, at);
        }
        String application = in.text();
        switch (kind) {
            case TASKS_ADDED -> {
                List<TaskSpec> tasks = TaskCodec.readTasks(from);
                return new ApplicationEvent.TasksAdded(partition, application, tasks, at);
            }
            case SEALED -> {
                return new ApplicationEvent.Sealed(partition, application, at);
            }
            case STATE_CHANGED -> {
                ApplicationState before = EnumCodec.APPLICATION_STATE.read(in);
                ApplicationState after = EnumCodec.APPLICATION_STATE.read(in);
                return new ApplicationEvent.StateChanged(partition, application, before, after, in.text(), at);
            }
            default -> {
                String tasks = in.text();
                return new ApplicationEvent.TasksDropped(partition, application, tasks, in.text(), at);
            }
        }
    }

    private static Event readNode(ValueReader from, int kind, String partition, Instant at) {
        BinaryReader in = from.in;
        String node = in.text();
        switch (kind) {
            case REGISTERED -> {
                Resources capacity = from.resources();
                SortedMap<String, String> labels = from.namedTexts();
                return new NodeEvent.Registered(partition, node, capacity, labels, at);
            }
            case UPDATED -> {
                Resources capacity = from.resources();
                SortedMap<String, String> labels = from.namedTexts();
                return new NodeEvent.Updated(partition, node, capacity, labels, at);
            }
            case TAKEN_OFFLINE -> {
                return new NodeEvent.TakenOffline(partition, node, at);
            }
            case REINSTATED -> {
                return new NodeEvent.Reinstated(partition, node, at);
            }
            case HEALTH_CHANGED -> {
                int fields = PresenceBits.read(in, HEALTH_FLAKY_SINCE, "node's health");
                NodeHealth before = EnumCodec.NODE_HEALTH.read(in);
                NodeHealth after = EnumCodec.NODE_HEALTH.read(in);
                Instant flakySince = has(fields, HEALTH_FLAKY_SINCE) ? in.instant() : null;
                return new NodeEvent.HealthChanged(partition, node, before, after, flakySince, at);
            }
            default -> {
                return new NodeEvent.Removed(partition, node, at);
            }
        }
    }

    private static Event readPartition(ValueReader from, int kind, String partition, Instant at) {
        BinaryReader in = from.in;
        return switch (kind) {
            case CONFIGURED -> new PartitionEvent.Configured(ConfigurationCodec.readPartition(from), at);
            case PARTITION_REMOVED -> new PartitionEvent.Removed(partition, at);
            case QUEUE_CREATED -> new PartitionEvent.QueueCreated(partition, in.text(), at);
            case THROTTLED -> new PartitionEvent.Throttled(partition, in.signedInteger(), at);
            case SEEDED -> new PartitionEvent.Seeded(partition, in.signed(), at);
            case USAGE_PRIORITY_SET -> {
                String path = in.text();
                yield new PartitionEvent.UsagePrioritySet(partition, path, in.decimal(), at);
            }
            case SPREAD_EXCEEDED -> new PartitionEvent.SpreadExceeded(partition, in.text(), at);
            case REBALANCE_DUE -> new PartitionEvent.RebalanceDue(partition, in.text(), at);
            case SPREAD_RETURNED -> new PartitionEvent.SpreadReturned(partition, in.text(), at);
            case REBALANCED -> new PartitionEvent.Rebalanced(partition, in.text(), at);
            case QUEUE_REMOVED -> new PartitionEvent.QueueRemoved(partition, in.text(), at);
            default ->
                throw new IllegalStateException("unknown event number " + kind + "; it may be from a later release");
        };
    }
}
