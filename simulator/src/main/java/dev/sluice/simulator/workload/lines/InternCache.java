package dev.sluice.simulator.workload.lines;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A cache of values that many lines share, each created once.
 *
 * <p>The cache is cleared when it reaches {@link #KEPT_MAX} values, so that a file with more distinct values does not
 * take more memory.
 *
 * @param <K> the key of a value
 * @param <V> the values, which must be immutable
 */
public final class InternCache<K, V> {

    /** The maximum number of cached values. */
    public static final int KEPT_MAX = 20_000;

    private final Function<K, V> make;
    private final Map<K, V> kept = new HashMap<>();

    /** Creates a cache that creates values with this function. */
    public InternCache(Function<K, V> make) {
        this.make = make;
    }

    /** Returns the value for this key. */
    public V get(K key) {
        V known = kept.get(key);
        if (known == null) {
            if (kept.size() >= KEPT_MAX) {
                kept.clear();
            }
            known = make.apply(key);
            kept.put(key, known);
        }
        return known;
    }
}
