package dev.sluice.config.notification;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a notification is about. */
public enum NotificationKind {
    /** All tasks of an application ended successfully. */
    APPLICATION_COMPLETED("application-completed"),
    /** An application failed, was cancelled or was rejected. */
    APPLICATION_FAILED("application-failed"),
    /** A run of a task failed, timed out or was lost, and the task does not run again. */
    TASK_FAILED("task-failed"),
    /** A threshold of a queue was exceeded, or is no longer exceeded. */
    QUEUE_THRESHOLD("queue-threshold");

    /** The kinds by their names in files. */
    static final Map<String, NotificationKind> BY_NAME = byName();

    private final String wireName;

    NotificationKind(String wireName) {
        this.wireName = wireName;
    }

    private static Map<String, NotificationKind> byName() {
        Map<String, NotificationKind> kinds = new LinkedHashMap<>();
        for (NotificationKind kind : values()) {
            kinds.put(kind.wireName, kind);
        }
        return Collections.unmodifiableMap(kinds);
    }

    /** Returns the name in files and notifications. */
    public String wireName() {
        return wireName;
    }
}
