package dev.sluice.config.yaml;

/** The maximum size of documents. Each bound is far above what real files need and far below what could do harm. */
public final class YamlLimits {

    /** The maximum size of a file in bytes: about half a million tasks, written one by one. */
    public static final int FILE_BYTES_MAX = 64 << 20;

    /** The maximum number of values of a document, counting the values of an alias each time it is used. */
    public static final int VALUES_MAX = 5_000_000;

    /** The maximum depth of nested lists and maps. */
    public static final int DEPTH_MAX = 100;

    private YamlLimits() {}
}
