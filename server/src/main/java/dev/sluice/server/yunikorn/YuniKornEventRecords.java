package dev.sluice.server.yunikorn;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.server.api.EventView;
import dev.sluice.server.yunikorn.YuniKornEvents.EventRecord;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts events to YuniKorn's event records. Numbers are those of YuniKorn's scheduler interface; events that it does
 * not have get 0 as change and detail, and say in their message what they are.
 */
public final class YuniKornEventRecords {

    private static final int TASK = 1;
    private static final int APPLICATION = 2;
    private static final int NODE = 3;
    private static final int QUEUE = 4;

    private static final int NONE = 0;
    private static final int SET = 1;
    private static final int ADD = 2;
    private static final int REMOVE = 3;

    private static final int APPLICATION_ALLOCATION = 200;
    private static final int APPLICATION_REQUEST = 201;
    private static final int APPLICATION_REJECTED = 202;
    private static final int APPLICATION_NEW = 203;
    private static final int NODE_REMOVED = 300;
    private static final int NODE_READY = 301;
    private static final int NODE_SCHEDULABLE = 302;
    private static final int NODE_CAPACITY = 304;
    private static final int QUEUE_CONFIGURATION = 400;
    private static final int QUEUE_DYNAMIC = 401;
    private static final int ALLOCATION_CANCELLED = 500;
    private static final int ALLOCATION_PREEMPTED = 501;
    private static final int ALLOCATION_NODE_REMOVED = 504;

    /** The state changes of applications, by wire name of the new state in lower case. */
    private static final Map<String, Integer> STATES = Map.of(
            "accepted",
            204,
            "starting",
            205,
            "running",
            206,
            "completing",
            207,
            "completed",
            208,
            "failing",
            209,
            "failed",
            210,
            "resuming",
            211,
            "expired",
            212);

    /** The reasons of stops that are preemptions. */
    private static final Set<String> PREEMPTIONS = Set.of("guarantee", "priority", "rebalance", "quota");

    private YuniKornEventRecords() {}

    /** The number of a change and of its detail. */
    private record Change(int type, int detail) {

        static final Change OTHER = new Change(NONE, 0);
    }

    /** Returns the record of an event. */
    public static EventRecord of(EventView event) {
        String area = event.type().substring(0, event.type().indexOf('.'));
        Change change = change(event);
        String application = text(event, "application");
        String task = text(event, "task");
        String node = text(event, "node");
        boolean isAllocation = area.equals("task") && change.detail() >= APPLICATION_ALLOCATION;
        int type;
        String object;
        String reference;
        if (isAllocation || area.equals("application")) {
            type = APPLICATION;
            object = application;
            reference = task;
        } else if (area.equals("task")) {
            type = TASK;
            object = task;
            reference = application;
        } else if (node != null) {
            type = NODE;
            object = node;
            reference = null;
        } else {
            type = QUEUE;
            object = text(event, "queue");
            reference = null;
        }
        return new EventRecord(
                type,
                object == null ? event.partition() : object,
                reference,
                event.type() + " " + event.data(),
                YuniKornViews.nanos(event.at()),
                change.type(),
                change.detail(),
                Map.of());
    }

    private static @Nullable String text(EventView event, String key) {
        Object value = event.data().get(key);
        return value == null ? null : value.toString();
    }

    private static Change change(EventView event) {
        return switch (event.type()) {
            case "task.placed" -> new Change(ADD, APPLICATION_ALLOCATION);
            case "task.stopping" ->
                PREEMPTIONS.contains(String.valueOf(event.data().get("reason")))
                        ? new Change(REMOVE, ALLOCATION_PREEMPTED)
                        : Change.OTHER;
            case "task.ended" ->
                new Change(
                        REMOVE,
                        String.valueOf(event.data().get("outcome")).equals("lost")
                                ? ALLOCATION_NODE_REMOVED
                                : ALLOCATION_CANCELLED);
            case "application.submitted" -> new Change(ADD, APPLICATION_NEW);
            case "application.tasksadded" -> new Change(ADD, APPLICATION_REQUEST);
            case "application.tasksdropped" -> new Change(REMOVE, APPLICATION_REQUEST);
            case "application.statechanged" -> state(String.valueOf(event.data().get("to")));
            case "node.registered" -> new Change(ADD, 0);
            case "node.removed" -> new Change(REMOVE, NODE_REMOVED);
            case "node.updated" -> new Change(SET, NODE_CAPACITY);
            case "node.healthchanged" -> new Change(SET, NODE_READY);
            case "node.takenoffline", "node.reinstated" -> new Change(SET, NODE_SCHEDULABLE);
            case "partition.configured" -> new Change(SET, QUEUE_CONFIGURATION);
            case "queue.created" -> new Change(ADD, QUEUE_DYNAMIC);
            case "queue.removed" -> new Change(REMOVE, QUEUE_DYNAMIC);
            default -> Change.OTHER;
        };
    }

    private static Change state(String to) {
        return to.equals(ApplicationState.REJECTED.wireName())
                ? new Change(REMOVE, APPLICATION_REJECTED)
                : new Change(SET, STATES.getOrDefault(to.toLowerCase(Locale.ROOT), 0));
    }
}
