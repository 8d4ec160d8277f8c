package dev.sluice.config.yaml;

import java.util.List;

/**
 * A list of values.
 *
 * @param items the values, in order
 * @param line the line, from 1
 * @param column the column, from 1
 */
public record YamlList(List<YamlValue> items, int line, int column) implements YamlValue {

    @Override
    public String kind() {
        return "a list";
    }
}
