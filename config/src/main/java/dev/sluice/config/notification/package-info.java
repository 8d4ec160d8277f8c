/**
 * Reads notification files: who is notified of what, and how. {@link dev.sluice.config.notification.NotificationReader}
 * reads a {@link dev.sluice.config.notification.NotificationFile} of {@link
 * dev.sluice.config.notification.NotificationTarget}s, each a {@link dev.sluice.config.notification.Webhook} or a
 * command, and {@link dev.sluice.config.notification.QueueThreshold}s. Secrets are not part of the file: a {@link
 * dev.sluice.config.notification.SecretSource} names a file or an environment variable.
 */
package dev.sluice.config.notification;
