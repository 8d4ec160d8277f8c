package dev.sluice.core.state;

/**
 * Handles every kind of event. A new kind adds a method, so nothing that must handle all kinds can forget one.
 *
 * @param <R> the result
 */
public interface EventVisitor<R> {

    R placed(TaskEvent.Placed event);

    R released(TaskEvent.Released event);

    R started(TaskEvent.Started event);

    R suspended(TaskEvent.Suspended event);

    R resumed(TaskEvent.Resumed event);

    R stopping(TaskEvent.Stopping event);

    R ended(TaskEvent.Ended event);

    R retryDue(TaskEvent.RetryDue event);

    R dropped(TaskEvent.Dropped event);

    R submitted(ApplicationEvent.Submitted event);

    R tasksAdded(ApplicationEvent.TasksAdded event);

    R sealed(ApplicationEvent.Sealed event);

    R held(ApplicationEvent.Held event);

    R holdReleased(ApplicationEvent.HoldReleased event);

    R startTimeReached(ApplicationEvent.StartTimeReached event);

    R dependencyEnded(ApplicationEvent.DependencyEnded event);

    R updated(ApplicationEvent.Updated event);

    R retried(ApplicationEvent.Retried event);

    R stateChanged(ApplicationEvent.StateChanged event);

    R tasksDropped(ApplicationEvent.TasksDropped event);

    R nodeRegistered(NodeEvent.Registered event);

    R nodeUpdated(NodeEvent.Updated event);

    R nodeTainted(NodeEvent.Tainted event);

    R nodeTakenOffline(NodeEvent.TakenOffline event);

    R nodeReinstated(NodeEvent.Reinstated event);

    R nodeHealthChanged(NodeEvent.HealthChanged event);

    R nodeRemoved(NodeEvent.Removed event);

    R partitionConfigured(PartitionEvent.Configured event);

    R partitionRemoved(PartitionEvent.Removed event);

    R queueCreated(PartitionEvent.QueueCreated event);

    R partitionThrottled(PartitionEvent.Throttled event);

    R partitionSeeded(PartitionEvent.Seeded event);

    R usagePrioritySet(PartitionEvent.UsagePrioritySet event);

    R spreadExceeded(PartitionEvent.SpreadExceeded event);

    R rebalanceDue(PartitionEvent.RebalanceDue event);

    R spreadReturned(PartitionEvent.SpreadReturned event);

    R rebalanced(PartitionEvent.Rebalanced event);

    R queueRemoved(PartitionEvent.QueueRemoved event);

    R gangStarted(ApplicationEvent.GangStarted event);

    R gangTimedOut(ApplicationEvent.GangTimedOut event);

    R maximumExceeded(PartitionEvent.MaximumExceeded event);

    R queueQuotasSet(PartitionEvent.QueueQuotasSet event);

    R reservationMade(ReservationEvent.Made event);

    R reservationEnded(ReservationEvent.Ended event);
}
