package dev.sluice.core.configuration;

/** The order in which the nodes of a partition are tried. */
public enum NodeSortPolicy {
    /** Lowest utilisation first, which spreads the load. */
    FAIR("fair"),
    /** Highest utilisation first, which keeps whole nodes free. */
    BIN_PACKING("binpacking");

    private final String wireName;

    NodeSortPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The name in a configuration. */
    public String wireName() {
        return wireName;
    }
}
