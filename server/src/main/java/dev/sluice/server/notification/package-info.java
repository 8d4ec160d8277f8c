/**
 * Notifications of webhooks and commands. A {@code NotificationRecorder} writes them to the outbox with their events,
 * and a {@code ThresholdWatch} those of thresholds; a {@code TargetDelivery} per target takes them from the outbox,
 * keeps a {@code DeliveryWindow} of them in memory, and hands them to a {@link dev.sluice.server.notification.Sender}.
 * {@link dev.sluice.server.notification.Notifications} is all of this for a server.
 */
package dev.sluice.server.notification;
