package dev.sluice.core.configuration;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Who a placement rule is for. Without users and groups it is for everybody, whatever {@code allow} says.
 *
 * @param allow whether those named are let through (true) or kept out (false)
 * @param users names; a single one with a character that no name has is a regular expression, searched for in the user's name
 * @param groups likewise for the user's groups
 */
public record RuleFilter(boolean allow, List<String> users, List<String> groups) {

    private static final Pattern PLAIN_NAME = Pattern.compile("[a-zA-Z0-9_:#/@.$-]*");

    /** Lets everybody through. */
    public static final RuleFilter EVERYBODY = new RuleFilter(true, List.of(), List.of());

    /** Copies the lists. */
    public RuleFilter {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }

    /** Whether a single entry is a regular expression: it has a character that no name has. */
    public static boolean isPattern(String entry) {
        return !PLAIN_NAME.matcher(entry).matches();
    }
}
