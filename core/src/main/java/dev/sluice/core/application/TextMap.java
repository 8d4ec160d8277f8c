package dev.sluice.core.application;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Texts by key, sorted by key. Immutable, so a copy is the same object: many tasks can have the same variables or
 * labels at the cost of one.
 */
@SuppressWarnings("JdkObsolete") // the records that have it promise no more than an order
public final class TextMap extends AbstractMap<String, String> implements SortedMap<String, String> {

    /** No texts. */
    public static final TextMap EMPTY = new TextMap(new String[0], new String[0]);

    private final String[] keys;
    private final String[] values;
    private int hash; // 0 until computed

    private TextMap(String[] keys, String[] values) {
        this.keys = keys;
        this.values = values;
    }

    /** Returns these texts; throws {@link NullPointerException} if one is null. */
    public static TextMap copyOf(Map<String, String> texts) {
        if (texts instanceof TextMap same) {
            return same;
        }
        if (texts.isEmpty()) {
            return EMPTY;
        }
        String[] keys = texts.keySet().toArray(new String[0]);
        Arrays.sort(keys);
        String[] values = new String[keys.length];
        for (int i = 0; i < keys.length; i++) {
            values[i] = Objects.requireNonNull(texts.get(keys[i]));
        }
        return new TextMap(keys, values);
    }

    private int indexOf(@Nullable Object key) {
        return key instanceof String text ? Arrays.binarySearch(keys, text) : -1;
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public @Nullable String get(@Nullable Object key) {
        int index = indexOf(key);
        return index < 0 ? null : values[index];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return indexOf(key) >= 0;
    }

    @Override
    public Set<Map.Entry<String, String>> entrySet() {
        return new EntrySet();
    }

    private final class EntrySet extends AbstractSet<Map.Entry<String, String>> {

        @Override
        public int size() {
            return keys.length;
        }

        @Override
        public boolean contains(@Nullable Object object) {
            return object instanceof Map.Entry<?, ?> entry
                    && entry.getValue() != null
                    && entry.getValue().equals(get(entry.getKey()));
        }

        @Override
        public Iterator<Map.Entry<String, String>> iterator() {
            return new Iterator<>() {

                private int next;

                @Override
                public boolean hasNext() {
                    return next < keys.length;
                }

                @Override
                public Map.Entry<String, String> next() {
                    if (next == keys.length) {
                        throw new NoSuchElementException();
                    }
                    return Map.entry(keys[next], values[next++]);
                }
            };
        }
    }

    @Override
    public @Nullable Comparator<? super String> comparator() {
        return null;
    }

    @Override
    public SortedMap<String, String> subMap(String from, String to) {
        return tree().subMap(from, to);
    }

    @Override
    public SortedMap<String, String> headMap(String to) {
        return tree().headMap(to);
    }

    @Override
    public SortedMap<String, String> tailMap(String from) {
        return tree().tailMap(from);
    }

    private SortedMap<String, String> tree() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(this));
    }

    @Override
    public String firstKey() {
        return key(0);
    }

    @Override
    public String lastKey() {
        return key(keys.length - 1);
    }

    private String key(int index) {
        if (keys.length == 0) {
            throw new NoSuchElementException();
        }
        return keys[index];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TextMap texts
                ? Arrays.equals(keys, texts.keys) && Arrays.equals(values, texts.values)
                : super.equals(other);
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = super.hashCode();
        }
        return hash;
    }
}
