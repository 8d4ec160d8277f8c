package dev.sluice.simulator.workload.lines;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Values that many lines have in common, each made once and given to all of them.
 *
 * <p>A table that reaches {@link #KEPT_MAX} begins anew: a file with more different values than that takes no more memory.
 *
 * @param <K> what a value is made of
 * @param <V> the values, which do not change
 */
public final class InternCache<K, V> {

    /** The most values that are kept. */
    public static final int KEPT_MAX = 20_000;

    private final Function<K, V> make;
    private final Map<K, V> kept = new HashMap<>();

    /** Makes values this way. */
    public InternCache(Function<K, V> make) {
        this.make = make;
    }

    /** The value for this key. */
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
