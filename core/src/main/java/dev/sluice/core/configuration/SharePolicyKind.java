package dev.sluice.core.configuration;

/** How a parent queue divides free capacity among its children. */
public enum SharePolicyKind {
    /** To the child with the smallest dominant share. */
    FAIR("fair"),
    /** By load percentages: entitlements, then loans. */
    LOAD("load"),
    /** By decayed usage: slices, then random draws. */
    USAGE("usage");

    private final String wireName;

    SharePolicyKind(String wireName) {
        this.wireName = wireName;
    }

    /** The name in a configuration. */
    public String wireName() {
        return wireName;
    }
}
