package dev.sluice.core.configuration;

import java.util.List;

/**
 * Who a placement rule is for. Without users and groups it is for everybody, whatever {@code allow} says.
 *
 * @param allow whether those named are let through (true) or kept out (false)
 * @param users names; a single one with a character that no name has is a regular expression, searched for in the user's name
 * @param groups likewise for the user's groups
 */
public record RuleFilter(boolean allow, List<String> users, List<String> groups) {

    /** Lets everybody through. */
    public static final RuleFilter EVERYBODY = new RuleFilter(true, List.of(), List.of());

    /** Copies the lists. */
    public RuleFilter {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }
}
