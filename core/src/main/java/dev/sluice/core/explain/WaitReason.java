package dev.sluice.core.explain;

import dev.sluice.core.application.ApplicationCondition;
import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.configuration.Limit;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.state.DelayedTask;
import dev.sluice.core.state.LimitUsage;
import dev.sluice.core.state.NodeState;
import dev.sluice.core.state.TaskGroup;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Why a task waits, with the details to explain it. */
public sealed interface WaitReason {

    /** The machine-readable name of the kind of reason. */
    String code();

    /** The reason in a sentence, for people. */
    String detail();

    /** Returns whether only a change of nodes or configuration can let the task start. */
    default boolean isPermanent() {
        return false;
    }

    /**
     * A queue would exceed its maximum.
     *
     * @param queue the path of the queue, the task's own or an ancestor
     * @param resource the resource type
     * @param missing how much the maximum is too low
     * @param tooLarge whether the task alone exceeds the maximum
     */
    record Quota(String queue, String resource, Amount missing, boolean tooLarge) implements WaitReason {

        @Override
        public boolean isPermanent() {
            return tooLarge;
        }

        @Override
        public String code() {
            return "quota";
        }

        @Override
        public String detail() {
            String quantity = Quantity.format(resource, missing) + " of " + resource;
            return tooLarge
                    ? "the task alone exceeds the maximum of queue " + queue + ": " + quantity + " missing"
                    : "queue " + queue + " is at its maximum: " + quantity + " missing";
        }
    }

    /**
     * A queue is at its maximum number of running applications.
     *
     * @param queue the path of the queue, the application's own or an ancestor
     * @param max the maximum
     */
    record ApplicationLimit(String queue, long max) implements WaitReason {

        @Override
        public String code() {
            return "application-limit";
        }

        @Override
        public String detail() {
            return "queue " + queue + " is at its maximum of " + max + " running "
                    + (max == 1 ? "application" : "applications");
        }
    }

    /**
     * A user or group would exceed its limit in a queue.
     *
     * @param subject whose limit it is
     * @param name the user or group; {@code *} for all groups that are not named
     * @param queue the path of the queue that has the limit, the task's own or an ancestor
     * @param resource the resource type, or null if it is the limit of running applications
     * @param limit the limit
     * @param used what the user or group uses of it
     * @param asked what the task asks for; 1 for a limit of running applications
     */
    record LimitReached(
            LimitUsage.Subject subject,
            String name,
            String queue,
            @Nullable String resource,
            Amount limit,
            Amount used,
            Amount asked)
            implements WaitReason {

        @Override
        public String code() {
            return subject.wireName() + "-limit";
        }

        @Override
        public boolean isPermanent() {
            return asked.compareTo(limit) > 0;
        }

        @Override
        public String detail() {
            String who = name.equals(Limit.ALL)
                    ? "the other groups are"
                    : (subject == LimitUsage.Subject.GROUP ? "group " : "user ") + name + " is";
            if (resource == null) {
                return who + " at the limit of " + limit.value() + " running "
                        + (limit.value() == 1 ? "application" : "applications") + " in queue " + queue;
            }
            return who + " at the limit of " + Quantity.format(resource, limit) + " of " + resource + " in queue "
                    + queue + ": " + Quantity.format(resource, used) + " used, " + Quantity.format(resource, asked)
                    + " requested";
        }
    }

    /**
     * The task fits on no node at the moment.
     *
     * @param nodes the number of ready nodes
     * @param notReady the number of other nodes, by state
     * @param excluded the number of ready nodes on which the task may not run, by the first reason
     * @param lacking the number of other ready nodes with insufficient free capacity, by resource type; a node may
     *     count several times
     * @param largeEnough the number of ready nodes that the task would fit on if they were empty
     */
    record NoNodeFits(
            int nodes,
            SortedMap<NodeState, Integer> notReady,
            SortedMap<NodeExclusion, Integer> excluded,
            SortedMap<String, Integer> lacking,
            int largeEnough)
            implements WaitReason {

        public NoNodeFits {
            notReady = Collections.unmodifiableSortedMap(new TreeMap<>(notReady));
            excluded = Collections.unmodifiableSortedMap(new TreeMap<>(excluded));
            lacking = Collections.unmodifiableSortedMap(new TreeMap<>(lacking));
        }

        @Override
        public String code() {
            return "no-node-fits";
        }

        /** A node that is not ready counts as large enough. */
        @Override
        public boolean isPermanent() {
            return largeEnough == 0 && notReady.isEmpty();
        }

        @Override
        public String detail() {
            int total = nodes
                    + notReady.values().stream().mapToInt(Integer::intValue).sum();
            if (total == 0) {
                return "the partition has no nodes";
            }
            boolean onlyNode = nodes == 1 && total == 1;
            return onlyNode
                    ? onOnlyNode()
                    : "0 of " + total + " nodes fit: " + counts() + tooLarge("any eligible node");
        }

        private String onOnlyNode() {
            return !excluded.isEmpty()
                    ? "the only node " + excluded.firstKey().text(1)
                    : "insufficient " + String.join(", ", lacking.keySet()) + " on the only node" + tooLarge("it");
        }

        private StringJoiner counts() {
            StringJoiner counts = new StringJoiner(", ");
            lacking.forEach((resource, count) -> counts.add(count + " insufficient " + resource));
            excluded.forEach((exclusion, count) -> counts.add(count + " " + exclusion.text(count)));
            notReady.forEach((state, count) -> counts.add(count + " " + state.wireName()));
            return counts;
        }

        private String tooLarge(String where) {
            int ineligible =
                    excluded.values().stream().mapToInt(Integer::intValue).sum();
            return nodes > ineligible && largeEnough == 0 ? "; too large for " + where + " even when empty" : "";
        }
    }

    /**
     * The node that the task requires is not ready.
     *
     * @param node the node
     * @param state its state
     */
    record NodeOffline(String node, NodeState state) implements WaitReason {

        @Override
        public String code() {
            return "node-offline";
        }

        @Override
        public String detail() {
            return "requires node " + node + ", which is " + state.wireName();
        }
    }

    /** The node that the task requires does not exist. */
    record NodeUnknown(String node) implements WaitReason {

        @Override
        public String code() {
            return "node-unknown";
        }

        @Override
        public boolean isPermanent() {
            return true;
        }

        @Override
        public String detail() {
            return "requires node " + node + ", which does not exist";
        }
    }

    /** The queue starts one application at a time, and another one is first. */
    record BehindStarting(String application) implements WaitReason {

        @Override
        public String code() {
            return "behind-starting";
        }

        @Override
        public String detail() {
            return "its queue starts one application at a time, and " + application + " is first";
        }
    }

    /** The task depends on another task of its application. */
    record AfterTask(String task, TaskCondition condition) implements WaitReason {

        @Override
        public String code() {
            return "after-task";
        }

        @Override
        public String detail() {
            return "depends on " + task + ", which has not " + condition.wireName() + " yet";
        }
    }

    /** The application is held. */
    record Held() implements WaitReason {

        @Override
        public String code() {
            return "held";
        }

        @Override
        public String detail() {
            return "the application is held: it starts nothing until it is released";
        }
    }

    /**
     * The application waits for the end of another one.
     *
     * @param application the id of the other application
     * @param condition how it must end
     */
    record AfterApplication(String application, ApplicationCondition condition) implements WaitReason {

        @Override
        public String code() {
            return "after-application";
        }

        @Override
        public String detail() {
            return "application " + application + " has not ended yet; this one starts after it has "
                    + condition.wireName();
        }
    }

    /**
     * The application must not start yet.
     *
     * @param until when it may start
     */
    record NotBefore(Instant until) implements WaitReason {

        @Override
        public String code() {
            return "not-before";
        }

        @Override
        public String detail() {
            return "the application starts nothing before " + until.truncatedTo(ChronoUnit.SECONDS);
        }
    }

    /**
     * The task failed, and its next attempt must not start yet.
     *
     * @param until when it may start; of several tasks, when the first one may
     */
    record RetryDelay(Instant until) implements WaitReason {

        /** Returns the reason for the delayed tasks of a group; there must be at least one. */
        static RetryDelay of(TaskGroup group) {
            return new RetryDelay(group.delayed().stream()
                    .map(DelayedTask::retryAt)
                    .min(Comparator.naturalOrder())
                    .orElseThrow());
        }

        @Override
        public String code() {
            return "retry-delay";
        }

        @Override
        public String detail() {
            return "failed; the next attempt starts at " + until.truncatedTo(ChronoUnit.SECONDS) + " at the earliest";
        }
    }

    /**
     * The task is in a load class at 0 %, which is never served.
     *
     * @param queue the path of the class, the task's own queue or an ancestor
     */
    record ClassNotServed(String queue) implements WaitReason {

        @Override
        public String code() {
            return "class-not-served";
        }

        @Override
        public boolean isPermanent() {
            return true;
        }

        @Override
        public String detail() {
            return "queue " + queue + " is a load class at 0 % and is never served";
        }
    }

    /**
     * The task was preempted and is pending again once it has ended.
     *
     * @param notServed the path of the class at 0 % that it is in, its own queue or an ancestor, or null: then it runs
     *     again
     * @param forMaximum whether that is because its queue uses more than its maximum, not for another task
     */
    record Preempting(@Nullable String notServed, boolean forMaximum) implements WaitReason {

        @Override
        public String code() {
            return "preempting";
        }

        @Override
        public String detail() {
            String why = forMaximum ? "because its queue is above its maximum" : "for another task";
            return "preempted " + why
                    + (notServed == null
                            ? "; runs again after it has ended"
                            : "; stays pending after it has ended: queue " + notServed
                                    + " is a load class at 0 % and is never served");
        }
    }

    /**
     * Another reason, of a task that is below its guarantee or may preempt by priority.
     *
     * @param cause the other reason, which gives the code
     * @param obstacle why it has not preempted others
     */
    record NotPreempting(WaitReason cause, PreemptionObstacle obstacle) implements WaitReason {

        @Override
        public String code() {
            return cause.code();
        }

        @Override
        public String detail() {
            return cause.detail() + "; " + obstacle.detail();
        }
    }

    /**
     * The partition's maximum number of allocated tasks is reached.
     *
     * @param tasksMax the maximum
     */
    record Throttled(int tasksMax) implements WaitReason {

        @Override
        public String code() {
            return "throttled";
        }

        @Override
        public String detail() {
            return tasksMax == 0
                    ? "throttle is 0: nothing starts"
                    : "throttle allows at most " + tasksMax + (tasksMax == 1 ? " task" : " tasks") + " at once";
        }
    }

    /** Nothing prevents the task from starting in the next cycle, if tasks before it leave enough free capacity. */
    record NextCycle() implements WaitReason {

        @Override
        public String code() {
            return "next-cycle";
        }

        @Override
        public String detail() {
            return "will be considered in the next cycle";
        }
    }

    /**
     * The members of a gang do not all fit, so none of its tasks starts.
     *
     * @param fitting the number of members that fit at once
     * @param members the number of members that must start together
     * @param topologyKey the label whose domains must hold all members, or null
     */
    record GangIncomplete(
            int fitting, int members, @Nullable String topologyKey) implements WaitReason {

        @Override
        public String code() {
            return "gang-incomplete";
        }

        @Override
        public String detail() {
            String fit = fitting + " of " + members + " members of the gang fit";
            return topologyKey == null ? fit : fit + "; all must be in one " + topologyKey;
        }
    }

    /**
     * A member of a gang was lost, and the gang starts again when all its tasks have ended.
     *
     * @param ending the number of tasks that have not ended yet
     */
    record GangRestarting(int ending) implements WaitReason {

        @Override
        public String code() {
            return "gang-restarting";
        }

        @Override
        public String detail() {
            return "the gang starts again after " + ending + (ending == 1 ? " task has" : " tasks have") + " ended";
        }
    }

    /**
     * Nodes have enough free capacity, but it is reserved for others, and the task is not expected to leave it in time.
     *
     * @param node the first such node
     * @param application the application of the task that it is reserved for
     * @param task the id of that task
     * @param until when that task is expected to start
     * @param firm whether it was put off so often that no other task may use the node
     */
    record ReservedFor(String node, String application, String task, Instant until, boolean firm)
            implements WaitReason {

        @Override
        public String code() {
            return "reserved-for";
        }

        @Override
        public String detail() {
            return "node " + node + " is reserved for task " + task + " of application " + application + " from "
                    + until.truncatedTo(ChronoUnit.SECONDS)
                    + (firm
                            ? "; it was put off so often that no other task may use the node"
                            : "; only tasks that end before, by their timeout or expected duration, may use it");
        }
    }

    /**
     * No node fits the task, or no nodes its gang, now; nodes are reserved for it.
     *
     * @param nodes the names of the nodes, one for a single task
     * @param start when the task is expected to start there
     * @param delays how many times the start was put off
     * @param overrun the task that ran longer than expected when it was last put off, such as {@code app/t-1}, or null
     */
    record HasReservation(
            List<String> nodes,
            Instant start,
            int delays,
            @Nullable String overrun) implements WaitReason {

        private static final int NAMED_MAX = 3;

        @Override
        public String code() {
            return "has-reservation";
        }

        @Override
        public String detail() {
            String again = delays == 0
                    ? ""
                    : ", planned again " + (delays == 1 ? "once" : delays + " times")
                            + (overrun == null ? "" : " because " + overrun + " ran longer than expected");
            String names = String.join(", ", nodes.subList(0, Math.min(nodes.size(), NAMED_MAX)));
            int others = nodes.size() - NAMED_MAX;
            return "reserved on " + (nodes.size() == 1 ? "node " : "nodes ") + names
                    + (others > 0 ? " and " + others + " more" : "") + " from " + start.truncatedTo(ChronoUnit.SECONDS)
                    + again;
        }
    }
}
