package dev.sluice.core.configuration;

import org.jspecify.annotations.Nullable;

/**
 * One way to find the queue of an application that is submitted. Rules are tried in order; the first that yields a queue wins.
 *
 * @param kind where the queue's name comes from
 * @param value the queue of a {@code fixed} rule, or the tag of a {@code tag} rule; empty for the others
 * @param create whether the queue is made when it does not exist; otherwise the rule yields nothing then
 * @param parent the rule that finds the parent of the queue, or null for root
 * @param filter who the rule is for
 */
public record PlacementRule(
        Kind kind, String value, boolean create, @Nullable PlacementRule parent, RuleFilter filter) {

    /** Where the name of the queue comes from. */
    public enum Kind {
        /** From the submission. */
        PROVIDED("provided"),
        /** The user's name. */
        USER("user"),
        /** Always the same, given by the rule. */
        FIXED("fixed"),
        /** The value of one of the application's tags. */
        TAG("tag");

        private final String wireName;

        Kind(String wireName) {
            this.wireName = wireName;
        }

        /** The name used in a configuration. */
        public String wireName() {
            return wireName;
        }
    }
}
