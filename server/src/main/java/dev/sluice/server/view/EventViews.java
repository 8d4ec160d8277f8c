package dev.sluice.server.view;

import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.server.api.EventView;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts events to views. The event types and field names are part of the API and must not change. */
public final class EventViews {

    private EventViews() {}

    /**
     * Returns the view of an event.
     *
     * @param sequence its sequence number
     */
    public static EventView of(long sequence, Cause cause, Event event) {
        Map<String, Object> data = new LinkedHashMap<>();
        String type;
        if (event instanceof TaskEvent task) {
            type = task(task, data);
        } else if (event instanceof ApplicationEvent application) {
            type = application(application, data);
        } else if (event instanceof NodeEvent node) {
            type = node(node, data);
        } else {
            type = partition((PartitionEvent) event, data);
        }
        return new EventView(sequence, event.at(), type, event.partition(), cause.action(), cause.actor(), data);
    }

    private static String task(TaskEvent event, Map<String, Object> data) {
        data.put("application", event.application());
        data.put("task", event.task());
        data.put("index", event.index());
        if (event instanceof TaskEvent.Placed placed) {
            data.put("node", placed.node());
            data.put("reserved", placed.reserved());
            return "task.placed";
        }
        if (event instanceof TaskEvent.Released) {
            return "task.released";
        }
        if (event instanceof TaskEvent.Started) {
            return "task.started";
        }
        if (event instanceof TaskEvent.Stopping stopping) {
            data.put("reason", stopping.reason().wireName());
            return "task.stopping";
        }
        if (event instanceof TaskEvent.Ended ended) {
            data.put("outcome", ended.outcome().wireName());
            Integer exitCode = ended.exitCode();
            if (exitCode != null) {
                data.put("exitCode", exitCode);
            }
            if (!ended.detail().isEmpty()) {
                data.put("detail", ended.detail());
            }
            data.put("again", ended.again());
            return "task.ended";
        }
        data.put("reason", ((TaskEvent.Dropped) event).reason());
        return "task.dropped";
    }

    private static String application(ApplicationEvent event, Map<String, Object> data) {
        data.put("application", event.application());
        if (event instanceof ApplicationEvent.Submitted submitted) {
            data.put("user", submitted.spec().user());
            String queue = submitted.queue();
            if (queue != null) {
                data.put("queue", queue);
            }
            return "application.submitted";
        }
        if (event instanceof ApplicationEvent.TasksAdded added) {
            data.put(
                    "tasks",
                    added.tasks().stream().mapToLong(task -> task.size()).sum());
            return "application.tasksadded";
        }
        if (event instanceof ApplicationEvent.Sealed) {
            return "application.sealed";
        }
        if (event instanceof ApplicationEvent.StateChanged changed) {
            data.put("from", changed.from().wireName());
            data.put("to", changed.to().wireName());
            if (!changed.reason().isEmpty()) {
                data.put("reason", changed.reason());
            }
            return "application.statechanged";
        }
        ApplicationEvent.TasksDropped dropped = (ApplicationEvent.TasksDropped) event;
        data.put("tasks", dropped.tasks());
        data.put("reason", dropped.reason());
        return "application.tasksdropped";
    }

    private static String node(NodeEvent event, Map<String, Object> data) {
        data.put("node", event.node());
        if (event instanceof NodeEvent.Registered registered) {
            data.put("capacity", Views.amounts(registered.capacity()));
            return "node.registered";
        }
        if (event instanceof NodeEvent.Updated updated) {
            data.put("capacity", Views.amounts(updated.capacity()));
            return "node.updated";
        }
        if (event instanceof NodeEvent.TakenOffline) {
            return "node.takenoffline";
        }
        if (event instanceof NodeEvent.Reinstated) {
            return "node.reinstated";
        }
        if (event instanceof NodeEvent.HealthChanged changed) {
            data.put("from", changed.from().wireName());
            data.put("to", changed.to().wireName());
            return "node.healthchanged";
        }
        return "node.removed";
    }

    private static String partition(PartitionEvent event, Map<String, Object> data) {
        if (event instanceof PartitionEvent.Configured) {
            return "partition.configured";
        }
        if (event instanceof PartitionEvent.Removed) {
            return "partition.removed";
        }
        if (event instanceof PartitionEvent.Throttled throttled) {
            data.put("tasksMax", throttled.tasksMax());
            return "partition.throttled";
        }
        if (event instanceof PartitionEvent.Seeded seeded) {
            data.put("seed", seeded.seed());
            return "partition.seeded";
        }
        if (event instanceof PartitionEvent.QueueCreated created) {
            data.put("queue", created.path());
            return "queue.created";
        }
        if (event instanceof PartitionEvent.QueueRemoved removed) {
            data.put("queue", removed.path());
            return "queue.removed";
        }
        if (event instanceof PartitionEvent.UsagePrioritySet set) {
            data.put("queue", set.path());
            data.put("usagePriority", set.priority());
            return "queue.usagepriorityset";
        }
        if (event instanceof PartitionEvent.SpreadExceeded exceeded) {
            data.put("queue", exceeded.path());
            return "queue.spreadexceeded";
        }
        if (event instanceof PartitionEvent.SpreadReturned returned) {
            data.put("queue", returned.path());
            return "queue.spreadreturned";
        }
        if (event instanceof PartitionEvent.RebalanceDue due) {
            data.put("queue", due.path());
            return "queue.rebalancedue";
        }
        data.put("queue", ((PartitionEvent.Rebalanced) event).path());
        return "queue.rebalanced";
    }
}
