package dev.sluice.simulator.workload.lines;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A cache of values that many lines share, each created once.
 *
 * <p>The cache is cleared when it reaches {@link #VALUES_MAX} values, so that a file with more distinct values does not
 * take more memory.
 *
 * @param <K> the key of a value
 * @param <V> the values, which must be immutable
 */
public final class InternCache<K, V> {

    /** The maximum number of cached values. */
    public static final int VALUES_MAX = 20_000;

    private final Function<K, V> make;
    private final Map<K, V> values = new HashMap<>();

    /** Creates a cache that creates values with this function. */
    public InternCache(Function<K, V> make) {
        this.make = make;
    }

    /** Returns the value for this key. */
    public V get(K key) {
        V known = values.get(key);
        if (known == null) {
            if (values.size() >= VALUES_MAX) {
                values.clear();
            }
            known = make.apply(key);
            values.put(key, known);
        }
        return known;
    }
}
