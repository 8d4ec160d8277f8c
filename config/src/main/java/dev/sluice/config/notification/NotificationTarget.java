package dev.sluice.config.notification;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of notifications: a webhook or a command.
 *
 * @param name the unique name
 * @param webhook where requests are sent; null for a command
 * @param command the program and its arguments; empty for a webhook
 * @param kinds what it is notified of
 * @param filter which applications and queues it is notified of
 * @param timeout the time limit of one delivery
 * @param giveUp how long a failing delivery is repeated
 * @param concurrency the maximum number of concurrent deliveries
 */
public record NotificationTarget(
        String name,
        @Nullable Webhook webhook,
        List<String> command,
        Set<NotificationKind> kinds,
        NotificationFilter filter,
        Duration timeout,
        Duration giveUp,
        int concurrency) {

    /** The default of {@code timeout}. */
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    /** The maximum of {@code timeout}. */
    public static final Duration TIMEOUT_MAX = Duration.ofMinutes(10);

    /** The default of {@code giveUp}. */
    public static final Duration GIVE_UP_DEFAULT = Duration.ofDays(1);

    /** The maximum of {@code concurrency}. */
    public static final int CONCURRENCY_MAX = 16;

    public NotificationTarget {
        command = List.copyOf(command);
        kinds = Set.copyOf(kinds);
    }

    /** Returns whether it is to be notified of an event of this kind. */
    public boolean wants(NotificationKind kind, String queue, String user, String application) {
        return kinds.contains(kind) && filter.matches(kind, queue, user, application);
    }
}
