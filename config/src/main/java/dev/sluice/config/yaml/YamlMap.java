package dev.sluice.config.yaml;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values by unique keys, in the order of the file.
 *
 * @param entries the keys and their values
 * @param line the line, from 1
 * @param column the column, from 1
 */
public record YamlMap(List<Entry> entries, int line, int column) implements YamlValue {

    /**
     * A key and its value.
     *
     * @param key the key
     * @param value the value
     */
    public record Entry(YamlScalar key, YamlValue value) {}

    /** Returns the entry of this key, or null. */
    public @Nullable Entry find(String key) {
        for (int i = 0; i < entries.size(); i++) { // without an iterator, since every key of a task is looked up
            Entry entry = entries.get(i);
            if (entry.key().text().equals(key)) {
                return entry;
            }
        }
        return null;
    }

    @Override
    public String kind() {
        return "a map";
    }
}
