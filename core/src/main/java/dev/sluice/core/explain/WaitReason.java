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
            return "queue " + queue + " runs " + max + (max == 1 ? " application" : " applications")
                    + ", which is its maximum";
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
            StringJoiner parts = new StringJoiner(", ");
            if (nodes == 0) {
                addNotReady(parts);
                return notReady.isEmpty() ? "there is no node" : "no node is ready: " + parts;
            }
            lacking.forEach((resource, count) -> parts.add(count + (count == 1 ? " lacks " : " lack ") + resource));
            if (wrongLabels > 0) {
                parts.add(wrongLabels + (wrongLabels == 1 ? " has" : " have") + " not the required labels");
            }
            addNotReady(parts);
            String room = nodes == 1 ? "the one node has no room" : "none of " + nodes + " nodes has room";
            return room + ": " + parts + (largeEnough == 0 ? "; none would fit it even when empty" : "");
        }

        private void addNotReady(StringJoiner parts) {
            notReady.forEach((state, count) -> parts.add(count + " " + state.wireName()));
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
            return "it must run on node " + node + ", which is " + state.wireName();
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
            return "it must run on node " + node + ", which is not there";
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
            return "its queue lets one application start at a time, and " + application + " comes first";
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
            return "it waits until " + task + " has " + condition.wireName();
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
            return "queue " + queue + " is a class at 0 %, which is never served";
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
                    ? "it was stopped so that others get their share, and runs again when it has ended"
                    : "it was stopped so that others get their share, and then waits: queue " + notServed
                            + " is a class at 0 %, which is never served";
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
                    ? "the throttle is at 0: nothing starts"
                    : "the throttle lets " + tasksMax + (tasksMax == 1 ? " task" : " tasks") + " run at once";
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
            return "it will be considered in the next cycle";
        }
    }
}
