package dev.sluice.server.view;

import dev.sluice.config.field.DurationText;
import dev.sluice.core.application.ApplicationUpdate;
import dev.sluice.core.application.RunRef;
import dev.sluice.core.application.TaskRef;
import dev.sluice.core.state.Allocation;
import dev.sluice.core.state.ApplicationEvent;
import dev.sluice.core.state.ApplicationOrigin;
import dev.sluice.core.state.Event;
import dev.sluice.core.state.EventVisitor;
import dev.sluice.core.state.NodeEvent;
import dev.sluice.core.state.PartitionEvent;
import dev.sluice.core.state.Reservation;
import dev.sluice.core.state.ReservationEvent;
import dev.sluice.core.state.TaskEvent;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.server.api.EventView;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Converts events to views. The event types and field names are part of the API and must not change. What a journal of
 * an earlier release did not record is left out.
 */
public final class EventViews {

    private EventViews() {}

    /**
     * Returns the view of an event.
     *
     * @param sequence its sequence number
     */
    public static EventView of(long sequence, Cause cause, Event event) {
        EventDetails details = new EventDetails();
        String type = event.accept(details);
        return new EventView(
                sequence, event.at(), type, event.partition(), cause.action(), cause.actor(), details.data);
    }

    /** Returns the type of an event, and collects its details. */
    private static final class EventDetails implements EventVisitor<String> {

        private final Map<String, Object> data = new LinkedHashMap<>();

        private void application(String application, ApplicationOrigin origin) {
            data.put("application", application);
            if (!origin.equals(ApplicationOrigin.UNKNOWN)) {
                data.put("queue", origin.queue());
                data.put("user", origin.user());
            }
        }

        private void task(TaskRef task, ApplicationOrigin origin) {
            application(task.application(), origin);
            data.put("task", task.task());
            data.put("index", task.position());
        }

        private void run(TaskEvent.RunEvent event) {
            task(event.task(), event.origin());
            Allocation allocation = event.allocation();
            if (allocation.run().attempt() != RunRef.CURRENT) {
                data.put("attempt", allocation.run().attempt());
            }
            if (!allocation.node().isEmpty()) {
                data.put("node", allocation.node());
            }
        }

        @Override
        public String placed(TaskEvent.Placed event) {
            run(event);
            data.put("reserved", event.reserved());
            return "task.placed";
        }

        @Override
        public String released(TaskEvent.Released event) {
            run(event);
            return "task.released";
        }

        @Override
        public String started(TaskEvent.Started event) {
            run(event);
            return "task.started";
        }

        @Override
        public String suspended(TaskEvent.Suspended event) {
            run(event);
            return "task.suspended";
        }

        @Override
        public String resumed(TaskEvent.Resumed event) {
            run(event);
            return "task.resumed";
        }

        @Override
        public String stopping(TaskEvent.Stopping event) {
            run(event);
            data.put("reason", event.reason().wireName());
            TaskRef beneficiary = event.beneficiary();
            if (beneficiary != null) {
                Map<String, Object> of = new LinkedHashMap<>();
                of.put("application", beneficiary.application());
                of.put("task", beneficiary.task());
                of.put("index", beneficiary.position());
                data.put("for", of);
            }
            return "task.stopping";
        }

        @Override
        public String ended(TaskEvent.Ended event) {
            run(event);
            data.put("outcome", event.outcome().wireName());
            Integer exitCode = event.exitCode();
            if (exitCode != null) {
                data.put("exitCode", exitCode);
            }
            if (!event.detail().isEmpty()) {
                data.put("detail", event.detail());
            }
            data.put("again", event.again());
            if (event.retryAt() != null) {
                data.put("retryAt", event.retryAt());
            }
            return "task.ended";
        }

        @Override
        public String retryDue(TaskEvent.RetryDue event) {
            task(event.task(), event.origin());
            return "task.retrydue";
        }

        @Override
        public String dropped(TaskEvent.Dropped event) {
            task(event.task(), event.origin());
            data.put("reason", event.reason());
            return "task.dropped";
        }

        @Override
        public String submitted(ApplicationEvent.Submitted event) {
            data.put("application", event.application());
            data.put("user", event.spec().user());
            String queue = event.queue();
            if (queue != null) {
                data.put("queue", queue);
            }
            return "application.submitted";
        }

        @Override
        public String tasksAdded(ApplicationEvent.TasksAdded event) {
            application(event.application(), event.origin());
            data.put(
                    "tasks",
                    event.tasks().stream().mapToLong(task -> task.size()).sum());
            return "application.tasksadded";
        }

        @Override
        public String sealed(ApplicationEvent.Sealed event) {
            application(event.application(), event.origin());
            return "application.sealed";
        }

        @Override
        public String held(ApplicationEvent.Held event) {
            application(event.application(), event.origin());
            return "application.held";
        }

        @Override
        public String holdReleased(ApplicationEvent.HoldReleased event) {
            application(event.application(), event.origin());
            return "application.released";
        }

        @Override
        public String startTimeReached(ApplicationEvent.StartTimeReached event) {
            application(event.application(), event.origin());
            return "application.starttimereached";
        }

        @Override
        public String dependencyEnded(ApplicationEvent.DependencyEnded event) {
            application(event.application(), event.origin());
            data.put("awaited", event.awaited());
            return "application.dependencyended";
        }

        @Override
        public String updated(ApplicationEvent.Updated event) {
            application(event.application(), event.origin());
            ApplicationUpdate update = event.update();
            if (update.queue() != null) {
                data.put("newQueue", update.queue());
            }
            if (update.task() != null) {
                data.put("task", update.task());
            }
            if (update.priority() != null) {
                data.put("priority", update.priority());
            }
            if (update.timeout() != null) {
                data.put("timeout", DurationText.format(update.timeout()));
            }
            if (!update.resources().isEmpty()) {
                data.put("resources", Views.amounts(update.resources()));
            }
            if (update.nodeAffinity() != null) {
                data.put("nodeAffinityChanged", true);
            }
            return "application.updated";
        }

        @Override
        public String retried(ApplicationEvent.Retried event) {
            application(event.application(), event.origin());
            data.put("all", event.all());
            return "application.retried";
        }

        @Override
        public String stateChanged(ApplicationEvent.StateChanged event) {
            application(event.application(), event.origin());
            data.put("from", event.from().wireName());
            data.put("to", event.to().wireName());
            if (!event.reason().isEmpty()) {
                data.put("reason", event.reason());
            }
            return "application.statechanged";
        }

        @Override
        public String tasksDropped(ApplicationEvent.TasksDropped event) {
            application(event.application(), event.origin());
            data.put("tasks", event.tasks());
            data.put("reason", event.reason());
            return "application.tasksdropped";
        }

        private String node(NodeEvent event, String type) {
            data.put("node", event.node());
            return type;
        }

        @Override
        public String nodeRegistered(NodeEvent.Registered event) {
            node(event, "");
            data.put("capacity", Views.amounts(event.capacity()));
            return "node.registered";
        }

        @Override
        public String nodeUpdated(NodeEvent.Updated event) {
            node(event, "");
            data.put("capacity", Views.amounts(event.capacity()));
            return "node.updated";
        }

        @Override
        public String nodeTainted(NodeEvent.Tainted event) {
            node(event, "");
            data.put("taints", ConstraintViews.taints(event.taints()));
            return "node.tainted";
        }

        @Override
        public String nodeTakenOffline(NodeEvent.TakenOffline event) {
            return node(event, "node.takenoffline");
        }

        @Override
        public String nodeReinstated(NodeEvent.Reinstated event) {
            return node(event, "node.reinstated");
        }

        @Override
        public String nodeHealthChanged(NodeEvent.HealthChanged event) {
            node(event, "");
            data.put("from", event.from().wireName());
            data.put("to", event.to().wireName());
            return "node.healthchanged";
        }

        @Override
        public String nodeRemoved(NodeEvent.Removed event) {
            return node(event, "node.removed");
        }

        @Override
        public String partitionConfigured(PartitionEvent.Configured event) {
            return "partition.configured";
        }

        @Override
        public String partitionRemoved(PartitionEvent.Removed event) {
            return "partition.removed";
        }

        @Override
        public String partitionThrottled(PartitionEvent.Throttled event) {
            data.put("tasksMax", event.tasksMax());
            return "partition.throttled";
        }

        @Override
        public String partitionSeeded(PartitionEvent.Seeded event) {
            data.put("seed", event.seed());
            return "partition.seeded";
        }

        private String queue(String path, String type) {
            data.put("queue", path);
            return type;
        }

        @Override
        public String usagePrioritySet(PartitionEvent.UsagePrioritySet event) {
            queue(event.path(), "");
            data.put("usagePriority", event.priority());
            return "queue.usagepriorityset";
        }

        @Override
        public String queueCreated(PartitionEvent.QueueCreated event) {
            return queue(event.path(), "queue.created");
        }

        @Override
        public String queueRemoved(PartitionEvent.QueueRemoved event) {
            return queue(event.path(), "queue.removed");
        }

        @Override
        public String queueQuotasSet(PartitionEvent.QueueQuotasSet event) {
            data.put("guaranteed", Views.amounts(event.guaranteed()));
            data.put("max", Views.amounts(event.max()));
            data.put("maxApplications", event.maxApplications());
            return queue(event.path(), "queue.quotasset");
        }

        @Override
        public String maximumExceeded(PartitionEvent.MaximumExceeded event) {
            return queue(event.path(), "queue.maximumexceeded");
        }

        @Override
        public String spreadExceeded(PartitionEvent.SpreadExceeded event) {
            return queue(event.path(), "queue.spreadexceeded");
        }

        @Override
        public String spreadReturned(PartitionEvent.SpreadReturned event) {
            return queue(event.path(), "queue.spreadreturned");
        }

        @Override
        public String rebalanceDue(PartitionEvent.RebalanceDue event) {
            return queue(event.path(), "queue.rebalancedue");
        }

        @Override
        public String rebalanced(PartitionEvent.Rebalanced event) {
            return queue(event.path(), "queue.rebalanced");
        }

        @Override
        public String gangStarted(ApplicationEvent.GangStarted event) {
            application(event.application(), event.origin());
            data.put("members", event.members());
            data.put("waitingSince", event.waitingSince());
            return "application.gangstarted";
        }

        @Override
        public String gangTimedOut(ApplicationEvent.GangTimedOut event) {
            application(event.application(), event.origin());
            return "application.gangtimedout";
        }

        private void reservation(Reservation reservation) {
            task(reservation.task(), reservation.origin());
            data.put("nodes", reservation.nodes());
            data.put("start", reservation.start());
        }

        @Override
        public String reservationMade(ReservationEvent.Made event) {
            Reservation reservation = event.reservation();
            reservation(reservation);
            data.put("delays", reservation.delays());
            RunRef overrun = reservation.overrun();
            if (overrun != null) {
                data.put("overrunApplication", overrun.task().application());
                data.put("overrunTask", overrun.task().id());
            }
            return "reservation.made";
        }

        @Override
        public String reservationEnded(ReservationEvent.Ended event) {
            reservation(event.reservation());
            data.put("reason", event.reason().wireName());
            return "reservation.ended";
        }
    }
}
