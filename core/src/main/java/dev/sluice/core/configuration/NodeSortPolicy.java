package dev.sluice.core.configuration;

/** The order in which a partition's nodes are tried. */
public enum NodeSortPolicy {
    /** The least utilised node first, which spreads the load. */
    FAIR("fair"),
    /** The most utilised node first, which leaves whole nodes free. */
    BIN_PACKING("binpacking");

    private final String wireName;

    NodeSortPolicy(String wireName) {
        this.wireName = wireName;
    }

    /** The name used in a configuration. */
    public String wireName() {
        return wireName;
    }
}
