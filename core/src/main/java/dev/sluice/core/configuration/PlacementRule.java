package dev.sluice.core.configuration;

import org.jspecify.annotations.Nullable;

/**
 * A rule that finds the queue of a submitted application. Rules are tried in order; the first that yields a queue wins.
 *
 * @param kind the source of the queue's name
 * @param value the queue of a {@code fixed} rule, or the tag of a {@code tag} rule; empty for other kinds
 * @param create whether a queue that does not exist is created; otherwise the rule does not match
 * @param parent the rule that finds the parent queue, or null for root
 * @param filter the users and groups that the rule applies to
 */
public record PlacementRule(
        Kind kind, String value, boolean create, @Nullable PlacementRule parent, RuleFilter filter) {

    /** The source of the queue's name. */
    public enum Kind {
        /** The queue that the application names. */
        PROVIDED("provided"),
        /** The user's name. */
        USER("user"),
        /** The queue that the rule names. */
        FIXED("fixed"),
        /** The value of one of the application's tags. */
        TAG("tag");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** The name in a configuration. */
        public String wireName() {
            return wireName;
        }
    }
}
