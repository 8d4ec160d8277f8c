package dev.sluice.core.configuration;

import dev.sluice.core.resource.Resources;
import java.util.List;

/**
 * The limits of users or groups in a queue and below it: of each of them, not of all together.
 *
 * @param description free text
 * @param users user names, or {@code *} for each user who is not named
 * @param groups group names, or {@code *} for all groups that are not named, which share the limit
 * @param maxResources the maximum per resource type; empty: unlimited
 * @param maxApplications the maximum number of running applications; 0: unlimited
 */
public record Limit(
        String description, List<String> users, List<String> groups, Resources maxResources, long maxApplications) {

    /** The name that stands for all users, or all groups, that are not named. */
    public static final String ALL = "*";

    public Limit {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }
}
