package dev.sluice.server.notification;

import dev.sluice.runtime.journal.HistoryRecord.Notification;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first notifications of a target, and when each is to be tried next. A failed notification waits for its own
 * delay, and all of them wait for a shorter one that grows while nothing succeeds: a target that is down gets few
 * requests, and a single notification that it refuses does not hold up the others for long.
 *
 * <p>Without clock and threads. Not thread-safe.
 */
final class DeliveryWindow {

    /** The maximum number of notifications in memory. */
    static final int SIZE_MAX = 100;

    /** The longest pause of a target: how late a new notification may be because others fail. */
    static final Duration PAUSE_MAX = Duration.ofSeconds(30);

    private final RetrySchedule schedule;
    private final Duration giveUp;
    private final Map<Notification, Attempts> entries = new LinkedHashMap<>();
    private int failuresInARow;
    private Instant notBefore = Instant.MIN;

    private static final class Attempts {
        private int failures;
        private Instant due = Instant.MIN;
        private boolean inFlight;
    }

    DeliveryWindow(RetrySchedule schedule, Duration giveUp) {
        this.schedule = schedule;
        this.giveUp = giveUp;
    }

    /** Adds notifications, oldest first, as far as there is room; those that are there are ignored. */
    void add(List<Notification> notifications) {
        for (Notification notification : notifications) {
            if (entries.size() < SIZE_MAX) {
                entries.putIfAbsent(notification, new Attempts());
            }
        }
    }

    boolean isFull() {
        return entries.size() >= SIZE_MAX;
    }

    /** Returns the number of deliveries that failed since the last one that succeeded. */
    int failuresInARow() {
        return failuresInARow;
    }

    /**
     * Returns the next notification to try and marks it as in flight; null if none is due. Of those that are due it is
     * the one that failed least often, of these the oldest.
     */
    @Nullable Notification take(Instant now) {
        if (now.isBefore(notBefore)) {
            return null;
        }
        Notification next = null;
        Attempts fewest = null;
        for (Map.Entry<Notification, Attempts> entry : entries.entrySet()) {
            Attempts attempts = entry.getValue();
            if (!attempts.inFlight
                    && !attempts.due.isAfter(now)
                    && (fewest == null || attempts.failures < fewest.failures)) {
                next = entry.getKey();
                fewest = attempts;
            }
        }
        if (fewest != null) {
            fewest.inFlight = true;
        }
        return next;
    }

    /** Returns when {@link #take} returns something next if nothing changes; null if never. */
    @Nullable Instant nextDue() {
        Instant next = null;
        for (Attempts attempts : entries.values()) {
            if (!attempts.inFlight && (next == null || attempts.due.isBefore(next))) {
                next = attempts.due;
            }
        }
        return next == null || next.isAfter(notBefore) ? next : notBefore;
    }

    /** Records that a notification was delivered; it leaves the window. */
    void delivered(Notification notification) {
        entries.remove(notification);
        failuresInARow = 0;
        notBefore = Instant.MIN;
    }

    /** Records that a delivery failed. */
    void failed(Notification notification, Instant now) {
        Attempts attempts = entries.get(notification);
        if (attempts != null) {
            attempts.inFlight = false;
            attempts.failures++;
            attempts.due = now.plus(schedule.delay(attempts.failures));
        }
        failuresInARow++;
        Duration pause = schedule.delay(failuresInARow);
        notBefore = now.plus(pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX);
    }

    /**
     * Removes and returns the notifications that are given up: while deliveries fail, those that are older than
     * {@code giveUp} and not in flight.
     */
    List<Notification> takeExpired(Instant now) {
        List<Notification> expired = new ArrayList<>();
        if (failuresInARow > 0) {
            entries.forEach((notification, attempts) -> {
                if (!attempts.inFlight && notification.at().plus(giveUp).isBefore(now)) {
                    expired.add(notification);
                }
            });
            expired.forEach(entries::remove);
        }
        return expired;
    }
}
