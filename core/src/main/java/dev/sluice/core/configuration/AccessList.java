package dev.sluice.core.configuration;

import java.util.List;
import java.util.stream.Stream;

/**
 * An access control list of a queue, in YuniKorn's syntax: users, a space, groups, with commas between names. A leading
 * space means groups only; {@code *} as the only user or the only group means everybody; an empty list means nobody.
 *
 * @param everybody whether everybody is allowed
 * @param users the allowed users
 * @param groups the groups whose members are allowed
 */
public record AccessList(boolean everybody, List<String> users, List<String> groups) {

    private static final List<String> EVERYBODY = List.of("*");

    /** Copies the lists. */
    public AccessList {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
    }

    /**
     * Returns the list that a text describes.
     *
     * @throws IllegalArgumentException if the text has more than two parts between spaces
     */
    public static AccessList parse(String text) {
        if (text.isBlank()) {
            return new AccessList(false, List.of(), List.of());
        }
        String[] parts = text.strip().split("\\s+");
        if (parts.length > 2) {
            throw new IllegalArgumentException(
                    "more than one space in \"" + text
                            + "\": write users, one space and groups, with commas between names, such as \"alice,bob dev,ops\"");
        }
        boolean isGroupsOnly = parts.length == 1 && Character.isWhitespace(text.charAt(0));
        List<String> users = isGroupsOnly ? List.of() : names(parts[0]);
        List<String> groups = isGroupsOnly || parts.length == 2 ? names(parts[parts.length - 1]) : List.of();
        return new AccessList(users.equals(EVERYBODY) || groups.equals(EVERYBODY), users, groups);
    }

    private static List<String> names(String text) {
        return Stream.of(text.split(",", -1)).filter(name -> !name.isEmpty()).toList();
    }

    /** Returns whether it allows nobody. */
    public boolean isEmpty() {
        return !everybody && users.isEmpty() && groups.isEmpty();
    }

    /** Returns whether it allows this user, who is a member of these groups. */
    public boolean allows(String user, List<String> memberOf) {
        return everybody || users.contains(user) || memberOf.stream().anyMatch(groups::contains);
    }
}
