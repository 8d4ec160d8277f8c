package dev.sluice.core.configuration;

/** The order in which a partition's nodes are tried. */
public enum NodeSortPolicy {
    /** The least utilised node first, which spreads the load. */
    FAIR("fair"),
    /** The most utilised node first, which leaves whole nodes free. */
    BIN_PACKING("binpacking");

    private final String word;

    NodeSortPolicy(String word) {
        this.word = word;
    }

    /** The word that stands for it in a configuration. */
    public String word() {
        return word;
    }
}
