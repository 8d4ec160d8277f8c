package dev.sluice.core.configuration;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The users and groups that a placement rule applies to. Without users and groups it applies to everyone, regardless of
 * {@code allow}.
 *
 * @param allow whether the rule applies to those named (true) or to all others (false)
 * @param users user names; a single entry with a character that no name contains is a regular expression, searched in
 *     the user's name
 * @param groups the same for the user's groups
 */
public record RuleFilter(boolean allow, List<String> users, List<String> groups) {

    private static final Pattern PLAIN_NAME = Pattern.compile("[a-zA-Z0-9_:#/@.$-]*");

    /** A filter that applies to everyone. */
    public static final RuleFilter EVERYBODY = new RuleFilter(true, List.of(), List.of());

    public RuleFilter {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }

    /** Whether a single entry is a regular expression: it has a character that no name contains. */
    public static boolean isPattern(String entry) {
        return !PLAIN_NAME.matcher(entry).matches();
    }
}
