package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.output.JsonPrinter;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlList;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlScalar;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.application.TaskContainer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes maps that Kubernetes defines; they are kept as JSON. */
final class KubernetesFields {

    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private KubernetesFields() {}

    /** Returns the fields as a JSON object; null after a problem. */
    static @Nullable String read(Field field, String what) {
        if (!(field.value() instanceof YamlMap map)) {
            field.problem(what + " must be a map of fields, as Kubernetes writes them");
            return null;
        }
        OutputMap fields = new OutputMap();
        int before = field.problemCount();
        put(fields, map, field);
        if (field.problemCount() != before) {
            return null;
        }
        String text = JsonPrinter.printLine(fields);
        if (text.length() > TaskContainer.LENGTH_MAX) {
            field.problem(what + " has " + text.length() + " characters as JSON: at most " + TaskContainer.LENGTH_MAX
                    + " are allowed");
            return null;
        }
        return map.entries().isEmpty() ? "" : text;
    }

    /** Puts the fields of a JSON object, unless it is empty. */
    static void put(OutputMap map, String key, String json) {
        if (!json.isEmpty()) {
            YamlValue value = YamlReader.read(json, new Problems(key));
            if (value == null) {
                throw new IllegalArgumentException(key + " is not JSON: " + json);
            }
            map.put(key, output(value, null));
        }
    }

    private static void put(OutputMap to, YamlMap map, @Nullable Field place) {
        for (YamlMap.Entry entry : map.entries()) {
            to.put(entry.key().text(), output(entry.value(), place));
        }
    }

    /** Returns a value; what YAML and Kubernetes read in different ways is a problem of the place, if there is one. */
    private static Output output(YamlValue value, @Nullable Field place) {
        if (value instanceof YamlMap map) {
            OutputMap fields = new OutputMap();
            put(fields, map, place);
            return fields;
        }
        if (value instanceof YamlList list) {
            OutputList items = new OutputList();
            list.items().forEach(item -> items.add(output(item, place)));
            return items;
        }
        YamlScalar scalar = (YamlScalar) value;
        if (scalar.quoted()) {
            return Output.text(scalar.text());
        }
        if (scalar.isNull()) {
            return Output.nothing();
        }
        if (scalar.isFlag()) {
            boolean isPlain = scalar.text().equals("true") || scalar.text().equals("false");
            if (!isPlain && place != null) {
                place.withValue(scalar)
                        .problem(Field.quoted(scalar.text()) + " may be text or a truth value: put it in"
                                + " quotes, or write true or false");
            }
            return isPlain ? Output.flag(scalar.isTrue()) : Output.text(scalar.text());
        }
        if (scalar.isNumber()) {
            return number(scalar, place);
        }
        return Output.text(scalar.text());
    }

    private static Output number(YamlScalar scalar, @Nullable Field place) {
        boolean isPlain = JSON_NUMBER.matcher(scalar.text()).matches();
        if (!isPlain && place != null) {
            place.withValue(scalar)
                    .problem(
                            Field.quoted(scalar.text())
                                    + " is a number of a form that JSON does not have: write it in decimal, or put it in quotes");
        }
        return isPlain ? new Output.Literal(scalar.text()) : Output.text(scalar.text());
    }
}
