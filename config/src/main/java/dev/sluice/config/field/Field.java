package dev.sluice.config.field;

import dev.sluice.config.problem.Problems;
import dev.sluice.config.problem.SpellingHints;
import dev.sluice.config.yaml.YamlList;
import dev.sluice.config.yaml.YamlMap;
import dev.sluice.config.yaml.YamlScalar;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value of a document together with its path, to be read as what it should be.
 *
 * <p>Every {@code as…} method returns null after it noted a problem, so that a reader can go on and find the next one.
 */
public sealed class Field {

    private static final int TEXT_SHOWN_MAX = 60;

    private final YamlValue value;
    private final @Nullable Field parent;
    private final String step;
    private final @Nullable YamlScalar key;
    private final Problems problems;

    private Field(YamlValue value, @Nullable Field parent, String step, @Nullable YamlScalar key, Problems problems) {
        this.value = value;
        this.parent = parent;
        this.step = step;
        this.key = key;
        this.problems = problems;
    }

    /** The document as a whole. */
    public static Field root(YamlValue document, Problems problems) {
        return new Field(document, null, "", null, problems);
    }

    /** The document as a whole, of the kind of file that is documented on this page. */
    public static Field root(YamlValue document, Problems problems, ReferencePage page) {
        return new Root(document, problems, page);
    }

    /** The root of a document that has a reference; a class of its own keeps all other fields small. */
    private static final class Root extends Field {

        private final ReferencePage page;

        Root(YamlValue document, Problems problems, ReferencePage page) {
            super(document, null, "", null, problems);
            this.page = page;
        }
    }

    /** The page that documents the kind of this file, or null. */
    @Nullable ReferencePage page() {
        Field root = this;
        while (root.parent != null) {
            root = root.parent;
        }
        return root instanceof Root document ? document.page : null;
    }

    /** The value of this entry of this map. */
    Field under(YamlMap.Entry entry) {
        return new Field(entry.value(), this, "." + entry.key().text(), entry.key(), problems);
    }

    /** Where this is, such as {@code partitions[0].queues[0].name}. */
    public String path() {
        List<String> steps = new ArrayList<>();
        for (Field field = this; field != null; field = field.parent) {
            steps.add(field.step);
        }
        StringBuilder path = new StringBuilder();
        for (int i = steps.size() - 1; i >= 0; i--) {
            path.append(steps.get(i));
        }
        return path.length() > 0 && path.charAt(0) == '.' ? path.substring(1) : path.toString();
    }

    /** The line, from 1. */
    public int line() {
        return value.line();
    }

    /** The column, from 1. */
    public int column() {
        return value.column();
    }

    /** Whether there is nothing here, or {@code null}. */
    public boolean isNull() {
        return value instanceof YamlScalar scalar && scalar.isNull();
    }

    /** Whether this is a list. */
    public boolean isList() {
        return value instanceof YamlList;
    }

    /** Whether this is a map. */
    public boolean isMap() {
        return value instanceof YamlMap;
    }

    /** Notes that something here is wrong. */
    public void problem(String message) {
        problems.error(value.line(), value.column(), this::path, () -> message);
    }

    /** Notes that something here is wrong; the message is worked out only if it is shown. */
    public void problem(Supplier<String> message) {
        problems.error(value.line(), value.column(), this::path, message);
    }

    /** Notes that the key of this value is wrong; the message is worked out only if it is shown. */
    public void keyProblem(Supplier<String> message) {
        YamlValue place = key == null ? value : key;
        problems.error(place.line(), place.column(), this::path, message);
    }

    /** Notes that this word is not one of those known, with the word that was probably meant. */
    public void unknown(String what, String word, Collection<String> known) {
        problems.error(
                value.line(),
                value.column(),
                this::path,
                () -> "unknown " + what + " " + quoted(word) + SpellingHints.hint(word, known));
    }

    /** Notes that something here looks wrong. */
    public void warning(String message) {
        problems.warning(value.line(), value.column(), this::path, () -> message);
    }

    /** Warns about the key of this value. */
    public void keyWarning(String message) {
        YamlValue place = key == null ? value : key;
        problems.warning(place.line(), place.column(), this::path, () -> message);
    }

    /** A text as it is shown in a message: in quotes, shortened. */
    public static String quoted(String text) {
        int length = text.codePointCount(0, text.length());
        return length <= TEXT_SHOWN_MAX
                ? "\"" + text + "\""
                : "\"" + text.substring(0, text.offsetByCodePoints(0, TEXT_SHOWN_MAX)) + "…\"";
    }

    private @Nullable YamlScalar scalar(String wanted) {
        if (value instanceof YamlScalar scalar) {
            return scalar;
        }
        problem("this is " + value.kind() + " where " + wanted + " is wanted");
        return null;
    }

    /** The scalar here; or null after a problem, if this is something else or nothing. */
    @Nullable YamlScalar filled(String wanted) {
        YamlScalar scalar = scalar(wanted);
        if (scalar != null && scalar.isNull()) {
            problem("there is nothing here: write " + wanted);
            return null;
        }
        return scalar;
    }

    /** The text, also of a number or a truth value as it is written; nothing is the empty text. */
    public @Nullable String asText() {
        YamlScalar scalar = scalar("text");
        return scalar == null ? null : scalar.isNull() ? "" : scalar.text();
    }

    /** The text of what is text already; numbers and truth values must be quoted. */
    public @Nullable String asStrictText() {
        YamlScalar scalar = filled("text");
        if (scalar != null && !scalar.isText()) {
            problem(scalar.text() + " is " + scalar.kind() + " where text is wanted: write \"" + scalar.text()
                    + "\" in quotes");
            return null;
        }
        return scalar == null ? null : scalar.text();
    }

    /** A name or an id: 1 to {@code lengthMax} characters, none of which is a control character. */
    public @Nullable String asName(String what, int lengthMax) {
        String text = asText();
        if (text == null) {
            return null;
        }
        if (text.isEmpty() || text.length() > lengthMax || text.chars().anyMatch(Character::isISOControl)) {
            problem(what + " has 1 to " + lengthMax + " characters, none of them a line break or another control"
                    + " character, not " + quoted(text));
            return null;
        }
        return text;
    }

    /** A truth value. */
    public @Nullable Boolean asBoolean() {
        YamlScalar scalar = filled("true or false");
        if (scalar == null) {
            return null;
        }
        if (!scalar.isFlag()) {
            boolean inQuotes = scalar.quoted() && new YamlScalar(scalar.text(), false, 0, 0).isFlag();
            problem(quoted(scalar.text()) + " is neither true nor false" + (inQuotes ? ": leave the quotes out" : ""));
            return null;
        }
        return scalar.isTrue();
    }

    /** A whole number within these bounds, both included. */
    public @Nullable Long asLong(long min, long max) {
        YamlScalar scalar = filled("a whole number");
        if (scalar == null) {
            return null;
        }
        if (scalar.quoted()) {
            problem(quoted(scalar.text()) + " is text where a whole number is wanted"
                    + (NumberText.whole(scalar.text()) == null ? "" : ": leave the quotes out"));
            return null;
        }
        return inRange(scalar.text(), min, max);
    }

    /** As {@link #asLong}, for a place where all values are texts: quotes do not matter. */
    public @Nullable Long asLongText(long min, long max) {
        YamlScalar scalar = filled("a whole number");
        return scalar == null ? null : inRange(scalar.text(), min, max);
    }

    private @Nullable Long inRange(String text, long min, long max) {
        BigDecimal number = NumberText.whole(text);
        if (number == null) {
            problem(quoted(text) + " is not a whole number");
            return null;
        }
        if (number.compareTo(BigDecimal.valueOf(min)) < 0 || number.compareTo(BigDecimal.valueOf(max)) > 0) {
            problem(
                    min == 0 && number.signum() < 0
                            ? text + " is negative: write 0 or more"
                            : text + " is out of range: write a whole number from " + min + " to " + max);
            return null;
        }
        return number.longValueExact();
    }

    /** A finite number. */
    public @Nullable Double asDouble() {
        YamlScalar scalar = filled("a number");
        if (scalar == null) {
            return null;
        }
        if (scalar.quoted() || !scalar.isNumber()) {
            problem(quoted(scalar.text()) + " is not a number" + (scalar.quoted() ? ": leave the quotes out" : ""));
            return null;
        }
        return finite(scalar.text());
    }

    /** As {@link #asDouble}, for a place where all values are texts: quotes do not matter. */
    public @Nullable Double asDoubleText() {
        YamlScalar scalar = filled("a number");
        if (scalar == null) {
            return null;
        }
        if (!new YamlScalar(scalar.text(), false, 0, 0).isNumber()) {
            problem(quoted(scalar.text()) + " is not a number");
            return null;
        }
        return finite(scalar.text());
    }

    private @Nullable Double finite(String text) {
        Double number = NumberText.finite(text);
        if (number == null) {
            problem(quoted(text) + " is not a finite decimal number");
        }
        return number;
    }

    /** A length of time, such as {@code 90s} or {@code 1h30m}. */
    public @Nullable Duration asDuration() {
        YamlScalar scalar = filled("a duration such as 90s or 1h30m");
        if (scalar == null) {
            return null;
        }
        try {
            return DurationText.parse(scalar.text());
        } catch (IllegalArgumentException e) {
            problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** An instant, such as {@code 2026-01-01T12:00:00Z}. */
    public @Nullable Instant asInstant() {
        YamlScalar scalar = filled("an instant such as 2026-01-01T12:00:00Z");
        if (scalar == null) {
            return null;
        }
        try {
            return InstantText.parse(scalar.text());
        } catch (DateTimeParseException e) {
            problem(quoted(scalar.text()) + " is not an instant: write it such as 2026-01-01T12:00:00Z");
            return null;
        }
    }

    /** One of these words. */
    public <E> @Nullable E asEnum(String what, Map<String, E> words) {
        YamlScalar scalar = filled("one of " + SpellingHints.enumerated(words.keySet()));
        if (scalar == null) {
            return null;
        }
        E meant = words.get(scalar.text());
        if (meant == null) {
            unknown(what, scalar.text(), words.keySet());
        }
        return meant;
    }

    /** The values of a list; nothing is the empty list. */
    public List<Field> asList(String what) {
        if (isNull()) {
            return List.of();
        }
        if (!(value instanceof YamlList list)) {
            problem("this is " + value.kind() + " where a list of " + what + " is wanted");
            return List.of();
        }
        List<Field> fields = new ArrayList<>(list.items().size());
        for (int i = 0; i < list.items().size(); i++) {
            fields.add(new Field(list.items().get(i), this, "[" + i + "]", null, problems));
        }
        return fields;
    }

    /** The values of a map by key, in the order of the file; nothing is the empty map. */
    public Map<String, Field> asMap(String what) {
        if (isNull()) {
            return Map.of();
        }
        if (!(value instanceof YamlMap map)) {
            problem("this is " + value.kind() + " where a map of " + what + " is wanted");
            return Map.of();
        }
        Map<String, Field> fields = new LinkedHashMap<>();
        for (YamlMap.Entry entry : map.entries()) {
            fields.put(entry.key().text(), under(entry));
        }
        return fields;
    }

    /** The values of a map by resource type, in the order of the file; {@code cpu} is {@code vcore}, and only one of them may be there. */
    public Map<String, Field> asTypeMap(String what) {
        Map<String, Field> fields = new LinkedHashMap<>();
        asMap(what).forEach((name, field) -> {
            if (fields.putIfAbsent(ResourceTypes.canonicalName(name), field) != null) {
                field.keyProblem(() -> "cpu is another name of vcore, and both are there: write one of them");
            }
        });
        return fields;
    }

    /** The place of the value of this resource type in a map of them; of the map itself if it is not there. */
    public Field typePlace(String type) {
        if (value instanceof YamlMap map) {
            for (YamlMap.Entry entry : map.entries()) {
                if (ResourceTypes.canonicalName(entry.key().text()).equals(type)) {
                    return under(entry);
                }
            }
        }
        return this;
    }

    /** The texts of a list, read by this method each; what is wrong is left out. */
    public List<String> asTexts(String what, Function<Field, @Nullable String> each) {
        List<String> texts = new ArrayList<>();
        for (Field item : asList(what)) {
            String text = each.apply(item);
            if (text != null) {
                texts.add(text);
            }
        }
        return texts;
    }

    /** The texts of a map, read by this method each; what is wrong is left out. */
    public SortedMap<String, String> asTextMap(String what, Function<Field, @Nullable String> each) {
        SortedMap<String, String> texts = new TreeMap<>();
        asMap(what).forEach((key, field) -> {
            String text = each.apply(field);
            if (text != null) {
                texts.put(key, text);
            }
        });
        return texts;
    }

    /** Amounts by resource type; what is wrong is left out. */
    public Resources asResources() {
        return AmountsText.read(this);
    }

    /** A map with these keys alone; null after a problem if it is none. Nothing is a map without entries. */
    public @Nullable Section asSection(String what, Keys keys) {
        if (isNull()) {
            return new Section(this, new YamlMap(List.of(), value.line(), value.column()), keys);
        }
        if (!(value instanceof YamlMap map)) {
            problem("this is " + value.kind() + " where " + what + " is wanted: a map with keys such as "
                    + SpellingHints.enumerated(keys.examples()));
            return null;
        }
        Section section = new Section(this, map, keys);
        section.checkKeys(what);
        return section;
    }
}
