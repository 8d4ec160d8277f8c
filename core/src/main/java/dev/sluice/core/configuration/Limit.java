package dev.sluice.core.configuration;

import dev.sluice.core.resource.Resources;
import java.util.List;

/**
 * The limits of users or groups in a queue and below it.
 *
 * @param description free text
 * @param users user names, or {@code *} for all users that are not named
 * @param groups group names, or {@code *} for all groups that are not named
 * @param maxResources the maximum per resource type; empty: unlimited
 * @param maxApplications the maximum number of applications at once; 0: unlimited
 */
public record Limit(
        String description, List<String> users, List<String> groups, Resources maxResources, long maxApplications) {

    public Limit {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }
}
