package dev.sluice.core.configuration;

/** How a parent queue divides what is free among its children. */
public enum SharePolicyKind {
    /** To the child with the smallest dominant share. */
    FAIR("fair"),
    /** By load percentages: entitlements, then loans. */
    LOAD("load"),
    /** By decayed usage: slices, then lots. */
    USAGE("usage");

    private final String wireName;

    SharePolicyKind(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in a configuration. */
    public String wireName() {
        return wireName;
    }
}
