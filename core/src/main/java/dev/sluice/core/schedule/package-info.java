/**
 * The orders that a scheduling cycle walks along: queues, applications, tasks and nodes, each updated incrementally as
 * events change the state.
 *
 * <p>{@link dev.sluice.core.schedule.PartitionSchedule} is the entry point, one for each partition. It is built like
 * this:
 *
 * <pre>
 * PartitionSchedule
 * ├─ QueueSchedules
 * │  └─ QueueSchedule                one for each queue
 * │     ├─ SharePolicy               of a parent: selects the next child and its budget (package share)
 * │     └─ LeafOrder                 of a leaf: the order of its applications (SortedOrder, StateAwareOrder)
 * │        └─ ApplicationSchedule    one for each application: the order of its pending tasks
 * │           └─ Backlog             its pending tasks of one EquivalenceClass
 * └─ NodeCapacityIndex               which equivalence classes fit on which node
 *    └─ NodeOrder                    the ready nodes in the order of the node sort policy
 *       └─ CapacityTree              a B-tree that finds the first node with enough free capacity
 * </pre>
 *
 * <p>A cycle ({@code Cycle} in {@link dev.sluice.core.engine}) uses it in three ways:
 *
 * <ul>
 * <li><b>Selecting a {@link dev.sluice.core.schedule.Candidate}.</b> {@code next} walks down from the root: each
 *     parent's share policy selects a child, the leaf's order an application, and that application's order a backlog.
 * <li><b>Finding a node.</b> {@code firstFit} returns the first node in order whose free capacity fits the candidate
 *     and which its constraints permit, among those of the highest rank. If none does, {@code preemptionFor} may return
 *     a {@link dev.sluice.core.schedule.Preemption}, found by {@code VictimSearch}.
 * <li><b>Recording the result.</b> {@code placed} updates the share policies above. {@code skip} and its variants
 *     remove a backlog, an application or a queue from its order; {@code beginCycle} returns all of them.
 * </ul>
 *
 * <p>Terms:
 *
 * <ul>
 * <li>Tasks with the same resources, priority and constraints form an <em>equivalence class</em>. What holds for one
 *     holds for all, so the scheduler treats them as one. A backlog holds the tasks of one class and one application.
 * <li>A queue, application or backlog is <em>eligible</em> if it may still supply a candidate in this cycle, and
 *     <em>skipped</em> if it may not because it was tried without success.
 * <li>A <em>budget</em> limits what a child queue may allocate next. A backlog that is skipped only because of a budget
 *     may be requeued in the same cycle, when the policy raises the budget.
 * <li>A <em>loan</em> is what a load class has allocated beyond its entitlement. To <em>reclaim</em> it is to preempt
 *     tasks of that class for tasks of a class below its entitlement.
 * <li>A <em>beneficiary</em> is a candidate that may start only because its queue reclaims loans.
 * </ul>
 *
 * <p>Nothing here is part of the state: everything can be rebuilt from the state at any time, with the same result.
 * {@link dev.sluice.core.state.Changes} lists what events have changed, and {@code PartitionSchedule.sync} updates the
 * affected orders. An allocation touches one application, the queues above it and one node, with a logarithmic update
 * each: no order is sorted again, and no full node is visited.
 *
 * <p>Helpers: {@code NodeClasses} decides whether a class could ever run on any node. {@code SubmissionOrder} numbers
 * the applications of a leaf. {@code PendingClasses} holds the classes pending below a queue. {@code PendingCounts}
 * and {@code StartableTasks} count the tasks that could start, for {@code load} policies; {@code LimitedTasks} those
 * of users and groups with limits. {@code TaskRules} are the constraints of a class with regard to other tasks, which
 * {@code TaskCounters} counts by {@code TopologyDomains}. {@code LimitWaits} keeps what waits for such limits skipped.
 * {@code PairedCapacity} and {@code Utilisation} serve the node order, as do {@code NodeConditions}, which nodes must
 * meet, and {@code NodeRanks} and {@code RankGroup}, by which tasks prefer some. {@code GangTrial} places the members
 * of a gang in the capacity index and takes them back; {@code GangWaits} keeps gangs skipped that cannot fit yet, as
 * {@code CapacityGrowth} tells.
 */
package dev.sluice.core.schedule;
