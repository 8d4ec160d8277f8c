package dev.sluice.config.notification;

import java.util.List;

/**
 * The contents of a notification file.
 *
 * @param targets who is notified; their names are unique
 * @param thresholds the thresholds of queues
 */
public record NotificationFile(List<NotificationTarget> targets, List<QueueThreshold> thresholds) {

    public NotificationFile {
        targets = List.copyOf(targets);
        thresholds = List.copyOf(thresholds);
    }
}
