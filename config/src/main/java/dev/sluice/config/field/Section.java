package dev.sluice.config.field;

import dev.sluice.config.problem.SpellingHints;
import dev.sluice.config.yaml.YamlMap;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A map with a fixed set of keys, such as a queue, a node or a task. */
public final class Section {

    private final Field field;
    private final YamlMap map;
    private final Keys keys;
    private final long hashes;

    Section(Field field, YamlMap map, Keys keys) {
        this.field = field;
        this.map = map;
        this.keys = keys;
        long all = 0;
        for (int i = 0; i < map.entries().size(); i++) {
            all |= bit(map.entries().get(i).key().text());
        }
        this.hashes = all;
    }

    /** Returns the bit that stands for all keys with the same hash modulo 64: most keys are absent, and found so. */
    private static long bit(String key) {
        return 1L << key.hashCode();
    }

    void checkKeys(String what) {
        for (int i = 0; i < map.entries().size(); i++) {
            YamlMap.Entry entry = map.entries().get(i);
            String key = entry.key().text();
            if (!keys.names().contains(key)) {
                field.under(entry).keyProblem(() -> problem(key, what) + reference());
            }
        }
    }

    private String problem(String key, String what) {
        String refusal = keys.refusal(key);
        return refusal == null
                ? "unknown key " + Field.quoted(key) + " of " + what + hint(key)
                : key + " of " + what + " is not supported: " + refusal;
    }

    private String reference() {
        ReferencePage page = keys.page();
        return page == null ? "" : " (see " + page.in(field.page()).path() + ")";
    }

    private String hint(String key) {
        String lower = key.toLowerCase(Locale.ROOT).replaceAll("[-_ .]", "");
        if (keys.names().contains(lower) && !lower.equals(key)) {
            return ": did you mean \"" + lower + "\"?";
        }
        String synonym = SpellingHints.synonym(lower, keys.names());
        return synonym != null && map.find(synonym) == null
                ? ": did you mean \"" + synonym + "\"?"
                : SpellingHints.hint(key, keys.names());
    }

    /** Returns the map itself. */
    public Field self() {
        return field;
    }

    /** Returns the value of this key; null if the key or its value is missing. */
    public @Nullable Field get(String key) {
        Field found = find(key);
        return found == null || found.isNull() ? null : found;
    }

    /** Returns the value of this key, which may be null in the file; null if the key is missing. */
    public @Nullable Field find(String key) {
        YamlMap.Entry entry = (hashes & bit(key)) == 0 ? null : map.find(key);
        return entry == null ? null : field.under(entry);
    }

    /** Returns the value of this key; null, after a problem with this message, if the key or its value is missing. */
    public @Nullable Field require(String key, String message) {
        Field found = get(key);
        if (found == null) {
            Field empty = find(key);
            (empty == null ? field : empty).problem(message);
        }
        return found;
    }

    /** Returns whether the map has the key, with or without a value. */
    public boolean has(String key) {
        return find(key) != null;
    }

    /** Reads the value of this key with this method. Returns the default if the value is missing or invalid. */
    public <T> T read(String key, T whenMissing, Function<Field, @Nullable T> how) {
        Field found = get(key);
        T read = found == null ? null : how.apply(found);
        return read == null ? whenMissing : read;
    }

    /** Reads the value of this key with this method. Returns null if the value is missing or invalid. */
    public <T> @Nullable T readOrNull(String key, Function<Field, @Nullable T> how) {
        Field found = get(key);
        return found == null ? null : how.apply(found);
    }
}
