package dev.sluice.runtime.journal;

import dev.sluice.runtime.journal.HistoryRecord.Notification;
import java.util.List;
import java.util.SortedMap;

/**
 * Notifications that wait for their delivery. {@link JournalStore#append} and {@link JournalStore#appendHistory} add
 * them. Thread-safe.
 */
public interface NotificationOutbox {

    /** Returns the first notifications for a target, oldest first. */
    List<Notification> first(String target, int limit) throws StoreException;

    /** Removes notifications; those that are not there are ignored. */
    void remove(List<Notification> notifications) throws StoreException;

    /** Removes all notifications for a target. */
    void removeAll(String target) throws StoreException;

    /** Returns the number of notifications for each target that has some, by the name of the target. */
    SortedMap<String, Long> counts() throws StoreException;
}
