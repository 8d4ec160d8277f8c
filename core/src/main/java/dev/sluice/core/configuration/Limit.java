package dev.sluice.core.configuration;

import dev.sluice.core.resource.Resources;
import java.util.List;

/**
 * The most that users or groups may have in a queue and below it.
 *
 * @param description free text
 * @param users names, or {@code *} for everybody who is not named
 * @param groups likewise
 * @param maxResources the most of each type; empty if not limited
 * @param maxApplications the most applications at once; 0 if not limited
 */
public record Limit(
        String description, List<String> users, List<String> groups, Resources maxResources, long maxApplications) {

    /** Copies the lists. */
    public Limit {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }
}
