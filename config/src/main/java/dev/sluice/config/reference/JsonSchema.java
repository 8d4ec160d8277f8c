package dev.sluice.config.reference;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.config.output.JsonPrinter;
import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the JSON Schema (draft 2020-12) of a file format. */
public final class JsonSchema {

    private static final String DURATION = "^([0-9]{1,18}(\\.[0-9]{1,9})?(d|h|m|s|ms|us|µs|μs|ns))+$|^0$";
    private static final String INSTANT =
            "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]*)?)?([Zz]|[+-][0-9]{2}(:[0-9]{2}){0,2})$";
    private static final String WHOLE = "^[+-]?[0-9]+(\\.0+)?$";

    private final FileFormat format;
    private final boolean isComponent;
    private final Map<String, OutputMap> definitions = new LinkedHashMap<>();

    private JsonSchema(FileFormat format, boolean isComponent) {
        this.format = format;
        this.isComponent = isComponent;
    }

    /** The schema as JSON, with a line break at its end. */
    public static String of(FileFormat format) {
        return JsonPrinter.printIndented(new JsonSchema(format, false).document());
    }

    /**
     * The schemas of the sections of a format as JSON: an object with a schema by {@link #componentName}, for
     * {@code components/schemas} of an OpenAPI document.
     */
    public static String components(FileFormat format) {
        JsonSchema schema = new JsonSchema(format, true);
        format.roots().forEach(schema::reference);
        return JsonPrinter.printIndented(schema.allDefinitions());
    }

    /** Returns the name of the component that describes a section: {@code TaskListDocument} for {@code task list}. */
    public static String componentName(String section) {
        StringBuilder name = new StringBuilder();
        for (String word : section.split(" ", -1)) {
            name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return name + "Document";
    }

    private OutputMap allDefinitions() {
        OutputMap all = new OutputMap();
        definitions.forEach(all::put);
        return all;
    }

    private OutputMap document() {
        OutputMap document = new OutputMap()
                .put("$schema", Output.text("https://json-schema.org/draft/2020-12/schema"))
                .put("title", Output.text(format.title()));
        List<Keys> roots = format.roots();
        if (roots.size() == 1) {
            section(roots.get(0), document);
        } else {
            alternatives(roots, document);
        }
        OutputMap all = allDefinitions();
        return all.isEmpty() ? document : document.put("$defs", all);
    }

    /** The first alternative the required keys of which are there, else the last one. */
    private void alternatives(List<Keys> roots, OutputMap document) {
        Keys first = roots.get(0);
        document.put("if", new OutputMap().put("required", required(first)));
        document.put("then", reference(first));
        OutputMap otherwise = reference(roots.get(1));
        if (roots.size() > 2) {
            otherwise = new OutputMap();
            alternatives(roots.subList(1, roots.size()), otherwise);
        }
        document.put("else", otherwise);
    }

    private void section(Keys keys, OutputMap to) {
        OutputMap properties = new OutputMap();
        for (Key key : keys.all()) {
            if (format.has(key)) {
                boolean required = key.required() && keys.own().contains(key);
                properties.put(key.name(), describe(key, value(key.type(), !required)));
            }
        }
        to.put("type", Output.text("object"));
        to.put("properties", properties);
        Output required = required(keys);
        if (required instanceof OutputList list && !list.isEmpty()) {
            to.put("required", required);
        }
        to.put("additionalProperties", Output.flag(false));
    }

    private static Output required(Keys keys) {
        return Output.texts(
                keys.own().stream().filter(Key::required).map(Key::name).toList());
    }

    private static OutputMap describe(Key key, OutputMap value) {
        return value.put("description", Output.text(description(key)));
    }

    private static String description(Key key) {
        StringBuilder text = new StringBuilder(key.meaning());
        if (!key.appliesTo().isEmpty()) {
            text.append(" Applies to: ").append(key.appliesTo()).append('.');
        }
        if (!key.defaultsTo().isEmpty()) {
            text.append(" Default: ").append(key.defaultsTo()).append('.');
        }
        if (!key.example().isEmpty()) {
            text.append(" Example: ").append(key.name()).append(": ").append(key.example());
        }
        return text.toString();
    }

    /** A reference to the definition of a section. */
    private OutputMap reference(Keys keys) {
        String name = definitionName(keys.section());
        if (!definitions.containsKey(name)) {
            OutputMap definition = new OutputMap();
            definitions.put(name, definition);
            section(keys, definition);
        }
        return referenceTo(name);
    }

    private String definitionName(String section) {
        return isComponent ? componentName(section) : section.replace(' ', '-');
    }

    private OutputMap referenceTo(String name) {
        return new OutputMap().put("$ref", Output.text((isComponent ? "#/components/schemas/" : "#/$defs/") + name));
    }

    private OutputMap value(KeyType type, boolean orNull) {
        if (type instanceof KeyType.Text text) {
            return text(text, orNull);
        }
        if (type instanceof KeyType.Whole whole) {
            OutputMap map = types(orNull, "integer");
            if (whole.min() > Long.MIN_VALUE) {
                map.put("minimum", Output.number(whole.min()));
            }
            return whole.max() < Long.MAX_VALUE ? map.put("maximum", Output.number(whole.max())) : map;
        }
        if (type instanceof KeyType.Plain plain) {
            return plain(plain, orNull);
        }
        if (type instanceof KeyType.Words words) {
            return words(words, orNull);
        }
        if (type instanceof KeyType.Quotable quotable) {
            return quotable(quotable.type(), orNull);
        }
        if (type instanceof KeyType.ListOf list) {
            return types(orNull, "array").put("items", value(list.item(), false));
        }
        if (type instanceof KeyType.MapOf map) {
            return types(orNull, "object").put("additionalProperties", value(map.value(), false));
        }
        if (type instanceof KeyType.SectionOf section) {
            OutputMap reference = reference(section.keys().get());
            return orNull ? anyOf(List.of(reference, types(false, "null"))) : reference;
        }
        List<OutputMap> types = new ArrayList<>();
        ((KeyType.AnyOf) type).types().forEach(each -> types.add(value(each, false)));
        if (orNull) {
            types.add(types(false, "null"));
        }
        return anyOf(types);
    }

    private static OutputMap text(KeyType.Text text, boolean orNull) {
        OutputMap map = text.strict() ? types(orNull, "string") : types(orNull, "string", "number", "boolean");
        if (text.lengthMin() > 0) {
            map.put("minLength", Output.number(text.lengthMin()));
        }
        return text.lengthMax() < Integer.MAX_VALUE ? map.put("maxLength", Output.number(text.lengthMax())) : map;
    }

    private OutputMap plain(KeyType.Plain type, boolean orNull) {
        return switch (type) {
            case NUMBER -> types(orNull, "number");
            case FLAG -> types(orNull, "boolean");
            case DURATION ->
                types(orNull, "string", "integer")
                        .put("pattern", Output.text(DURATION))
                        .put("minimum", Output.number(0))
                        .put("maximum", Output.number(0));
            case INSTANT -> types(orNull, "string").put("pattern", Output.text(INSTANT));
            case RESOURCES -> {
                String definition = definitionName("resources");
                definitions.computeIfAbsent(
                        definition,
                        name -> new OutputMap()
                                .put("type", Output.text("object"))
                                .put("additionalProperties", types(false, "string", "number")));
                OutputMap reference = referenceTo(definition);
                yield orNull ? anyOf(List.of(reference, types(false, "null"))) : reference;
            }
            case VALUE -> new OutputMap();
        };
    }

    private static OutputMap words(KeyType.Words words, boolean orNull) {
        OutputMap listed = enumerated(words.words(), orNull);
        if (!words.ignoresCase()) {
            return listed;
        }
        StringBuilder pattern = new StringBuilder();
        for (String word : words.words()) {
            pattern.append(pattern.isEmpty() ? "^(" : "|");
            word.chars().forEach(c -> {
                String letter = String.valueOf((char) c);
                pattern.append('[')
                        .append(letter.toUpperCase(Locale.ROOT))
                        .append(letter)
                        .append(']');
            });
        }
        OutputMap anyCase = types(false, "string").put("pattern", Output.text(pattern + ")$"));
        return anyOf(List.of(listed, anyCase));
    }

    private static OutputMap enumerated(Collection<String> words, boolean orNull) {
        OutputList list = new OutputList();
        words.forEach(word -> list.add(Output.text(word)));
        if (orNull) {
            list.add(Output.nothing());
        }
        return new OutputMap().put("enum", list);
    }

    private OutputMap quotable(KeyType type, boolean orNull) {
        if (type instanceof KeyType.Whole whole) {
            return value(whole, false)
                    .put("type", typeNames(orNull, "integer", "string"))
                    .put("pattern", Output.text(WHOLE));
        }
        if (type == KeyType.NUMBER) {
            return types(orNull, "number", "string");
        }
        if (type instanceof KeyType.Words words && words.words().contains("true")) {
            return anyOf(List.of(types(orNull, "boolean"), enumerated(words.words(), false)));
        }
        return value(type, orNull);
    }

    private static OutputMap anyOf(List<OutputMap> types) {
        OutputList list = new OutputList();
        types.forEach(list::add);
        return new OutputMap().put("anyOf", list);
    }

    private static OutputMap types(boolean orNull, String... names) {
        return new OutputMap().put("type", typeNames(orNull, names));
    }

    private static Output typeNames(boolean orNull, String... names) {
        if (names.length == 1 && !orNull) {
            return Output.text(names[0]);
        }
        List<String> all = new ArrayList<>(List.of(names));
        if (orNull) {
            all.add("null");
        }
        return Output.texts(all);
    }
}
