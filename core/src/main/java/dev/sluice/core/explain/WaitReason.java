package dev.sluice.core.explain;

import dev.sluice.core.application.TaskCondition;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.state.NodeState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Why a task waits: a value, with what it takes to understand it. */
public sealed interface WaitReason {

    /** The word that stands for the kind of reason in answers. */
    String code();

    /** The reason in a sentence, for people. */
    String detail();

    /**
     * A queue would exceed its maximum.
     *
     * @param queue the path of the queue, the task's own or one above
     * @param resource the resource type
     * @param missing how much more the queue would need
     */
    record Quota(String queue, String resource, Amount missing) implements WaitReason {

        @Override
        public String code() {
            return "quota";
        }

        @Override
        public String detail() {
            return "queue " + queue + " is at its maximum: " + Quantity.format(resource, missing) + " of " + resource
                    + " missing";
        }
    }

    /**
     * A queue runs as many applications as it may.
     *
     * @param queue the path of the queue, the application's own or one above
     * @param max how many it may run
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
     * No node has room.
     *
     * @param nodes how many nodes are ready
     * @param notReady how many are not, by what they are
     * @param wrongLabels how many of the ready ones do not have the labels that the task requires
     * @param lacking of the others, how many lack this resource; one node may lack several
     * @param largeEnough on how many of the ready ones it would fit if nothing else ran there
     */
    record NoNodeFits(
            int nodes,
            SortedMap<NodeState, Integer> notReady,
            int wrongLabels,
            SortedMap<String, Integer> lacking,
            int largeEnough)
            implements WaitReason {

        /** Copies the maps. */
        public NoNodeFits {
            notReady = Collections.unmodifiableSortedMap(new TreeMap<>(notReady));
            lacking = Collections.unmodifiableSortedMap(new TreeMap<>(lacking));
        }

        @Override
        public String code() {
            return "no-node-fits";
        }

        @Override
        public String detail() {
            int total = nodes + notReady.values().stream().mapToInt(Integer::intValue).sum();
            if (total == 0) {
                return "the partition has no nodes";
            }
            boolean onlyNode = nodes == 1 && total == 1;
            return onlyNode ? onOnlyNode() : "0 of " + total + " nodes fit: " + counts() + tooLarge("any eligible node");
        }

        private String onOnlyNode() {
            return wrongLabels > 0
                    ? "the only node lacks the required labels"
                    : "insufficient " + String.join(", ", lacking.keySet()) + " on the only node" + tooLarge("it");
        }

        private StringJoiner counts() {
            StringJoiner counts = new StringJoiner(", ");
            lacking.forEach((resource, count) -> counts.add(count + " insufficient " + resource));
            if (wrongLabels > 0) {
                counts.add(wrongLabels + (wrongLabels == 1 ? " lacks" : " lack") + " the required labels");
            }
            notReady.forEach((state, count) -> counts.add(count + " " + state.wireName()));
            return counts;
        }

        private String tooLarge(String where) {
            return nodes > wrongLabels && largeEnough == 0 ? "; too large for " + where + " even when empty" : "";
        }
    }

    /**
     * The only node that the task may run on takes no tasks.
     *
     * @param node the node
     * @param state why it takes none
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

    /** The only node that the task may run on is not there. */
    record NodeUnknown(String node) implements WaitReason {

        @Override
        public String code() {
            return "node-unknown";
        }

        @Override
        public String detail() {
            return "requires node " + node + ", which does not exist";
        }
    }

    /** Its queue lets one application start at a time, and that is another one. */
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

    /** It waits for another task of its application. */
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

    /**
     * A class at 0 % above it is never served.
     *
     * @param queue the path of the class, the task's own queue or one above
     */
    record ClassNotServed(String queue) implements WaitReason {

        @Override
        public String code() {
            return "class-not-served";
        }

        @Override
        public String detail() {
            return "queue " + queue + " is a load class at 0 % and is never served";
        }
    }

    /**
     * It was preempted so that others get their share; it is pending again when it has ended.
     *
     * @param notServed the path of the class at 0 % that it is in, its own queue or one above, or null: then it runs again
     */
    record Preempting(@Nullable String notServed) implements WaitReason {

        @Override
        public String code() {
            return "preempting";
        }

        @Override
        public String detail() {
            return notServed == null
                    ? "preempted to rebalance load classes; runs again after it has ended"
                    : "preempted to rebalance load classes; stays pending after it has ended: queue " + notServed
                            + " is a load class at 0 % and is never served";
        }
    }

    /**
     * As many tasks hold a place as may at once.
     *
     * @param tasksMax how many may
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

    /** Nothing speaks against it: the next cycle will place it, as far as what goes before leaves room. */
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
}
