package dev.sluice.config.notification;

import java.util.List;

/**
 * Which applications and queues a target is notified of. An empty list matches everything.
 *
 * @param queues paths of queues; each matches the queue and all queues below it
 * @param users names of users, in which {@code *} stands for any characters
 * @param applications names of applications, in which {@code *} stands for any characters
 */
public record NotificationFilter(List<String> queues, List<String> users, List<String> applications) {

    /** Matches everything. */
    public static final NotificationFilter ALL = new NotificationFilter(List.of(), List.of(), List.of());

    public NotificationFilter {
        queues = List.copyOf(queues);
        users = List.copyOf(users);
        applications = List.copyOf(applications);
    }

    /** Returns whether an event matches. Thresholds of queues have no user and no application. */
    boolean matches(NotificationKind kind, String queue, String user, String application) {
        return (queues.isEmpty() || queues.stream().anyMatch(path -> (queue + ".").startsWith(path + ".")))
                && (kind == NotificationKind.QUEUE_THRESHOLD
                        || (matches(users, user) && matches(applications, application)));
    }

    private static boolean matches(List<String> patterns, String text) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> matches(pattern, text));
    }

    /** Matches greedily and returns to the last {@code *}, so it takes at most the product of both lengths. */
    private static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int resume = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
