package dev.sluice.config.yaml;

/** How large a document may be. Each bound is far above what a real file needs and far below what could harm. */
public final class YamlLimits {

    /** The most bytes of a file: some half a million tasks, one by one. */
    public static final int FILE_BYTES_MAX = 64 << 20;

    /** The most values of a document, counting what an alias stands for each time it is used. */
    public static final int VALUES_MAX = 5_000_000;

    /** How deep lists and maps may lie within each other. */
    public static final int DEPTH_MAX = 100;

    private YamlLimits() {}
}
