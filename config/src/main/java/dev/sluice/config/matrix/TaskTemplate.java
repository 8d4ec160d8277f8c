package dev.sluice.config.matrix;

import dev.sluice.config.field.Field;
import dev.sluice.config.yaml.YamlList;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlScalar;
import dev.sluice.config.yaml.YamlValue;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A task with places for the values of parameters. Values without a place are shared by the tasks made of it. */
final class TaskTemplate {

    private static final String ID = "id";
    private static final String COMMAND = "command";
    private static final String ENVIRONMENT = "env";
    private static final String AFTER = "after";

    /** The keys whose values may have places, at any depth; others are numbers, durations and the like. */
    private static final Set<String> TEMPLATES = Set.of(
            ID,
            COMMAND,
            ENVIRONMENT,
            "directory",
            "stdin",
            "image",
            "container",
            "pod",
            "durationkey",
            "nodeSelector",
            "labels",
            "affinity",
            "topologySpreadConstraints",
            "tolerations",
            "requirednode",
            AFTER);

    private static final Set<String> BOURNE_SHELLS =
            Set.of("sh", "ash", "bash", "busybox", "dash", "ksh", "mksh", "zsh");

    private final List<Parameter> parameters;
    private final YamlMap map;
    private final IdentityHashMap<YamlScalar, TextTemplate> templates = new IdentityHashMap<>();
    private final IdentityHashMap<YamlMap, YamlScalar> braces = new IdentityHashMap<>();
    private final BitSet used = new BitSet();
    private final boolean isBourneShell;
    private BitSet usedInId = new BitSet();

    /** The command, if a shell reads it. An anchor may make the same text a value that no shell reads. */
    private @Nullable TextTemplate script;

    private long sharedCharacters;
    private long newCharacters;

    TaskTemplate(Field task, List<Parameter> parameters) {
        this.parameters = parameters;
        this.map = (YamlMap) task.value();
        this.isBourneShell = isBourneShell(map);
        for (YamlMap.Entry entry : map.entries()) {
            String key = entry.key().text();
            if (!TaskMatrix.KEYS.contains(key)) {
                sharedCharacters += values(entry.value())
                        * (key.equals(AFTER) ? ExpansionLimit.DEPENDENCY_CHARACTERS : ExpansionLimit.VALUE_CHARACTERS);
            }
            if (TEMPLATES.contains(key)) {
                BitSet places = new BitSet();
                if (key.equals(COMMAND) && entry.value() instanceof YamlScalar text) {
                    script = TextTemplate.of(text.text(), parameters, true);
                    places = script.used();
                } else {
                    prepare(entry.value(), places);
                }
                used.or(places);
                usedInId = key.equals(ID) ? places : usedInId;
            }
        }
    }

    /** Returns the number of items and entries, at any depth. */
    private static long values(YamlValue value) {
        long count = 0;
        if (value instanceof YamlList list) {
            for (YamlValue item : list.items()) {
                count += 1 + values(item);
            }
        } else if (value instanceof YamlMap entries) {
            for (YamlMap.Entry entry : entries.entries()) {
                count += 1 + values(entry.value());
            }
        }
        return count;
    }

    private void prepare(YamlValue value, BitSet places) {
        if (value instanceof YamlScalar scalar) {
            if (scalar.text().indexOf('{') >= 0) {
                TextTemplate template = TextTemplate.of(scalar.text(), parameters, false);
                if (!template.used().isEmpty()) {
                    templates.put(scalar, template);
                    places.or(template.used());
                }
            }
        } else if (value instanceof YamlList list) {
            list.items().forEach(item -> prepare(item, places));
        } else if (value instanceof YamlMap entries) {
            YamlScalar name = inBraces(entries);
            if (name != null) {
                braces.put(entries, name);
                prepare(name, places);
                return;
            }
            for (YamlMap.Entry entry : entries.entries()) {
                prepare(entry.key(), places);
                prepare(entry.value(), places);
            }
        }
    }

    /** Returns the text of {@code {name}} without quotes, which YAML reads as a map; null for any other map. */
    private @Nullable YamlScalar inBraces(YamlMap value) {
        if (value.entries().size() != 1) {
            return null;
        }
        YamlMap.Entry entry = value.entries().get(0);
        boolean isName = entry.value() instanceof YamlScalar scalar
                && scalar.isNull()
                && parameters.stream()
                        .anyMatch(each -> each.name().equals(entry.key().text()));
        return isName ? new YamlScalar("{" + entry.key().text() + "}", true, value.line(), value.column()) : null;
    }

    /** Returns the parameters that have a place anywhere. */
    BitSet used() {
        return used;
    }

    /** Returns the parameters that have a place in the id. */
    BitSet usedInId() {
        return usedInId;
    }

    /** Returns the characters that the latest task counts for: its values, and the texts that were made for it. */
    long characters() {
        return sharedCharacters + newCharacters;
    }

    /**
     * Returns whether these values can be inserted: those with special characters only where a Bourne shell reads them,
     * or where no shell does.
     */
    boolean isSafe(List<String> values) {
        return isBourneShell || variables(values).isEmpty();
    }

    /** Returns whether the shell of the task, if it has one of its own, understands references to variables. */
    private static boolean isBourneShell(YamlMap task) {
        YamlMap.Entry entry = task.find("shell");
        YamlValue shell = entry == null ? null : entry.value();
        if (shell instanceof YamlList list && !list.items().isEmpty()) {
            shell = list.items().get(0);
        }
        return !(shell instanceof YamlScalar program)
                || program.isNull()
                || BOURNE_SHELLS.contains(
                        program.text().substring(program.text().lastIndexOf('/') + 1));
    }

    /** Returns the task with these values; an id without places gets this number. */
    YamlMap with(List<String> values, int number) {
        newCharacters = 0;
        List<YamlMap.Entry> entries = new ArrayList<>(map.entries().size());
        Map<String, String> variables = variables(values);
        boolean hasEnvironment = false;
        for (YamlMap.Entry entry : map.entries()) {
            String key = entry.key().text();
            if (TaskMatrix.KEYS.contains(key)) {
                continue;
            }
            YamlValue value = entry.value();
            if (key.equals(COMMAND) && script != null && value instanceof YamlScalar text) {
                value = script.used().isEmpty() ? text : text(script.with(parameters, values), text);
            } else if (TEMPLATES.contains(key)) {
                value = with(value, values);
            }
            if (key.equals(ID) && usedInId.isEmpty() && value instanceof YamlScalar id && !id.isNull()) {
                value = text(id.text() + "-" + number, id);
            }
            if (key.equals(ENVIRONMENT) && !variables.isEmpty()) {
                hasEnvironment = true;
                value = with(value, variables, entry.key());
            }
            entries.add(value == entry.value() ? entry : new YamlMap.Entry(entry.key(), value));
        }
        if (!variables.isEmpty() && !hasEnvironment) {
            YamlScalar key = new YamlScalar(ENVIRONMENT, true, map.line(), map.column());
            entries.add(new YamlMap.Entry(key, with(key, variables, key)));
        }
        return new YamlMap(entries, map.line(), map.column());
    }

    /** Returns the variables that pass values to the shell. */
    private Map<String, String> variables(List<String> values) {
        Map<String, String> variables = new LinkedHashMap<>();
        BitSet inScript = script == null ? new BitSet() : script.used();
        inScript.stream().filter(i -> !TextTemplate.isPlain(values.get(i))).forEach(i -> {
            String value = values.get(i);
            newCharacters += value.length();
            variables.put(TextTemplate.VARIABLE + parameters.get(i).name(), value);
        });
        return variables;
    }

    private static YamlValue with(YamlValue environment, Map<String, String> variables, YamlScalar where) {
        List<YamlMap.Entry> entries = new ArrayList<>();
        if (environment instanceof YamlMap given) {
            entries.addAll(given.entries());
        } else if (environment != where && !(environment instanceof YamlScalar scalar && scalar.isNull())) {
            return environment;
        }
        variables.forEach((name, value) -> entries.add(new YamlMap.Entry(
                new YamlScalar(name, true, where.line(), where.column()),
                new YamlScalar(value, true, where.line(), where.column()))));
        return new YamlMap(entries, environment.line(), environment.column());
    }

    private YamlScalar text(String text, YamlScalar where) {
        newCharacters += text.length();
        return new YamlScalar(text, true, where.line(), where.column());
    }

    private YamlValue with(YamlValue value, List<String> values) {
        if (value instanceof YamlScalar scalar) {
            return withScalar(scalar, values);
        }
        if (value instanceof YamlList list) {
            List<YamlValue> items = new ArrayList<>(list.items().size());
            boolean isSame = true;
            for (YamlValue item : list.items()) {
                YamlValue made = with(item, values);
                isSame &= made == item;
                items.add(made);
            }
            return isSame ? list : new YamlList(items, list.line(), list.column());
        }
        YamlMap entries = (YamlMap) value;
        YamlScalar name = braces.get(entries);
        if (name != null) {
            return withScalar(name, values);
        }
        List<YamlMap.Entry> made = new ArrayList<>(entries.entries().size());
        boolean isSame = true;
        for (YamlMap.Entry entry : entries.entries()) {
            YamlScalar key = withScalar(entry.key(), values);
            YamlValue each = with(entry.value(), values);
            boolean same = !templates.containsKey(entry.key()) && each == entry.value();
            isSame &= same;
            made.add(same ? entry : new YamlMap.Entry(key, each));
        }
        return isSame ? entries : new YamlMap(made, entries.line(), entries.column());
    }

    private YamlScalar withScalar(YamlScalar scalar, List<String> values) {
        TextTemplate template = templates.get(scalar);
        return template == null ? scalar : text(template.with(parameters, values), scalar);
    }
}
