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
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value of a document with its path, and methods that read it as a value of a certain type.
 *
 * <p>Every {@code as…} method returns null after it reports a problem, so that a reader can continue and find the next
 * problem.
 */
public sealed class Field {

    private static final int TEXT_SHOWN_MAX = 60;

    private final YamlValue value;
    private final @Nullable Field parent;
    private final @Nullable YamlScalar key; // null unless the parent is a map
    private final int index;
    private final Problems problems;

    private Field(YamlValue value, @Nullable Field parent, @Nullable YamlScalar key, int index, Problems problems) {
        this.value = value;
        this.parent = parent;
        this.key = key;
        this.index = index;
        this.problems = problems;
    }

    /** Returns the whole document. */
    public static Field root(YamlValue document, Problems problems) {
        return new Field(document, null, null, 0, problems);
    }

    /** Returns the whole document, which is a file of the kind that this page documents. */
    public static Field root(YamlValue document, Problems problems, ReferencePage page) {
        return new Root(document, problems, page);
    }

    /** The root of a document with a reference page. A class of its own saves memory in all other fields. */
    private static final class Root extends Field {

        private final ReferencePage page;

        Root(YamlValue document, Problems problems, ReferencePage page) {
            super(document, null, null, 0, problems);
            this.page = page;
        }
    }

    /** Returns the page that documents this kind of file, or null. */
    @Nullable ReferencePage page() {
        Field root = this;
        while (root.parent != null) {
            root = root.parent;
        }
        return root instanceof Root document ? document.page : null;
    }

    /** Returns the entries of this map; none if it is not a map. */
    List<YamlMap.Entry> entries() {
        return value instanceof YamlMap map ? map.entries() : List.of();
    }

    /** Returns the value as it was read. */
    public YamlValue value() {
        return value;
    }

    /** Returns a field at the same place of the document with another value. */
    public Field withValue(YamlValue other) {
        return new Field(other, parent, key, index, problems);
    }

    /** Returns the number of problems of the document so far. */
    public int problemCount() {
        return problems.count();
    }

    /** Returns the value of an entry of this map. */
    Field under(YamlMap.Entry entry) {
        return new Field(entry.value(), this, entry.key(), 0, problems);
    }

    /** Returns the path in the document, such as {@code partitions[0].queues[0].name}. */
    public String path() {
        List<String> steps = new ArrayList<>();
        for (Field field = this; field.parent != null; field = field.parent) {
            steps.add(field.key == null ? "[" + field.index + "]" : "." + field.key.text());
        }
        StringBuilder path = new StringBuilder();
        for (int i = steps.size() - 1; i >= 0; i--) {
            path.append(steps.get(i));
        }
        return path.length() > 0 && path.charAt(0) == '.' ? path.substring(1) : path.toString();
    }

    /** Returns the line, from 1. */
    public int line() {
        return value.line();
    }

    /** Returns the column, from 1. */
    public int column() {
        return value.column();
    }

    /** Returns whether the value is empty or {@code null}. */
    public boolean isNull() {
        return value instanceof YamlScalar scalar && scalar.isNull();
    }

    public boolean isList() {
        return value instanceof YamlList;
    }

    /** Returns the number of items of this list; 0 if it is not a list. */
    public int size() {
        return value instanceof YamlList list ? list.items().size() : 0;
    }

    public boolean isMap() {
        return value instanceof YamlMap;
    }

    /** Reports a problem with this value. */
    public void problem(String message) {
        problems.error(value.line(), value.column(), this::path, () -> message);
    }

    /** Reports a problem with this value. The message is computed only if it is shown. */
    public void problem(Supplier<String> message) {
        problems.error(value.line(), value.column(), this::path, message);
    }

    /** Reports a problem with the key of this value. The message is computed only if it is shown. */
    public void keyProblem(Supplier<String> message) {
        YamlValue place = key == null ? value : key;
        problems.error(place.line(), place.column(), this::path, message);
    }

    /** Reports an unknown word, with the most similar of the known words or a list of them. */
    public void unknown(String what, String word, Collection<String> known) {
        problems.error(
                value.line(),
                value.column(),
                this::path,
                () -> "unknown " + what + " " + quoted(word) + SpellingHints.hint(word, known));
    }

    /** Warns about this value. */
    public void warning(String message) {
        problems.warning(value.line(), value.column(), this::path, () -> message);
    }

    /** Warns about the key of this value. */
    public void keyWarning(String message) {
        YamlValue place = key == null ? value : key;
        problems.warning(place.line(), place.column(), this::path, () -> message);
    }

    /** Returns a text as messages show it: in quotes, shortened. */
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
        problem("expected " + wanted + ", found " + value.kind());
        return null;
    }

    /** Returns the scalar; null, after a problem, if the value is missing or not a scalar. */
    @Nullable YamlScalar requireScalar(String wanted) {
        YamlScalar scalar = scalar(wanted);
        if (scalar != null && scalar.isNull()) {
            problem("value missing: write " + wanted);
            return null;
        }
        return scalar;
    }

    /** Reads text. Numbers and truth values are text as written; a missing value is the empty text. */
    public @Nullable String asText() {
        YamlScalar scalar = scalar("text");
        return scalar == null ? null : scalar.isNull() ? "" : scalar.text();
    }

    /** Reads text like {@link #asText}, which must not be missing. */
    public @Nullable String asValueText() {
        YamlScalar scalar = requireScalar("text or a number");
        return scalar == null ? null : scalar.text();
    }

    /** Reads text; numbers and truth values must be in quotes. */
    public @Nullable String asStrictText() {
        YamlScalar scalar = requireScalar("text");
        if (scalar != null && !scalar.isText()) {
            problem(scalar.text() + " is " + scalar.kind() + ", not text: write \"" + scalar.text() + "\" in quotes");
            return null;
        }
        return scalar == null ? null : scalar.text();
    }

    /** Reads a name or an id: 1 to {@code lengthMax} characters without control characters. */
    public @Nullable String asName(String what, int lengthMax) {
        String text = asText();
        if (text == null) {
            return null;
        }
        if (text.isEmpty() || text.length() > lengthMax || hasControlCharacter(text)) {
            problem(what + " must have 1 to " + lengthMax + " characters and no control characters, not "
                    + quoted(text));
            return null;
        }
        return text;
    }

    private static boolean hasControlCharacter(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Reads a truth value. */
    public @Nullable Boolean asBoolean() {
        YamlScalar scalar = requireScalar("true or false");
        if (scalar == null) {
            return null;
        }
        if (!scalar.isFlag()) {
            boolean inQuotes = scalar.quoted() && new YamlScalar(scalar.text(), false, 0, 0).isFlag();
            problem(quoted(scalar.text()) + " is neither true nor false" + (inQuotes ? ": remove the quotes" : ""));
            return null;
        }
        return scalar.isTrue();
    }

    /** Reads a whole number within these bounds, both inclusive. */
    public @Nullable Long asLong(long min, long max) {
        YamlScalar scalar = requireScalar("a whole number");
        if (scalar == null) {
            return null;
        }
        if (scalar.quoted()) {
            problem(quoted(scalar.text()) + " is text, not a whole number"
                    + (NumberText.whole(scalar.text()) == null ? "" : ": remove the quotes"));
            return null;
        }
        return inRange(scalar.text(), min, max);
    }

    /** Reads a whole number like {@link #asLong}, which may be in quotes. */
    public @Nullable Long asLongText(long min, long max) {
        YamlScalar scalar = requireScalar("a whole number");
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
                            ? text + " is negative: must be 0 or more"
                            : text + " is out of range: must be a whole number from " + min + " to " + max);
            return null;
        }
        return number.longValueExact();
    }

    /** Reads a finite number. */
    public @Nullable Double asDouble() {
        YamlScalar scalar = requireScalar("a number");
        if (scalar == null) {
            return null;
        }
        if (scalar.quoted() || !scalar.isNumber()) {
            problem(quoted(scalar.text()) + " is not a number" + (scalar.quoted() ? ": remove the quotes" : ""));
            return null;
        }
        return finite(scalar.text());
    }

    /** Reads a finite number like {@link #asDouble}, which may be in quotes. */
    public @Nullable Double asDoubleText() {
        YamlScalar scalar = requireScalar("a number");
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

    /** Reads a duration, such as {@code 90s} or {@code 1h30m}. */
    public @Nullable Duration asDuration() {
        YamlScalar scalar = requireScalar("a duration such as 90s or 1h30m");
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

    /** Reads an instant, such as {@code 2026-01-01T12:00:00Z}. */
    public @Nullable Instant asInstant() {
        YamlScalar scalar = requireScalar("an instant such as 2026-01-01T12:00:00Z");
        if (scalar == null) {
            return null;
        }
        try {
            return InstantText.parse(scalar.text());
        } catch (DateTimeParseException e) {
            problem(quoted(scalar.text()) + " is not an instant such as 2026-01-01T12:00:00Z");
            return null;
        }
    }

    /** Reads an instant in the form of {@link StartTimeText}, relative to {@code now}. */
    public @Nullable Instant asStartTime(Instant now) {
        YamlScalar scalar = requireScalar("a time such as " + StartTimeText.EXAMPLES);
        if (scalar == null) {
            return null;
        }
        try {
            return StartTimeText.parse(scalar.text(), now, ZoneId.systemDefault());
        } catch (IllegalArgumentException e) {
            problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    /** Reads one of these words and returns what it stands for. */
    public <E> @Nullable E asEnum(String what, Map<String, E> words) {
        YamlScalar scalar = requireScalar("one of " + SpellingHints.enumerated(words.keySet()));
        if (scalar == null) {
            return null;
        }
        E meant = words.get(scalar.text());
        if (meant == null) {
            unknown(what, scalar.text(), words.keySet());
        }
        return meant;
    }

    /** Returns the values of a list. A missing value is the empty list. */
    public List<Field> asList(String what) {
        List<Field> fields = new ArrayList<>(size());
        forEach(what, fields::add);
        return fields;
    }

    private void forEach(String what, Consumer<Field> action) {
        if (value instanceof YamlList list) {
            for (int i = 0; i < list.items().size(); i++) {
                action.accept(new Field(list.items().get(i), this, null, i, problems));
            }
        } else if (!isNull()) {
            problem("expected a list of " + what + ", found " + value.kind());
        }
    }

    /** Returns the values of a map by key, in the order of the file. A missing value is the empty map. */
    public Map<String, Field> asMap(String what) {
        if (isNull()) {
            return Map.of();
        }
        if (!(value instanceof YamlMap map)) {
            problem("expected a map of " + what + ", found " + value.kind());
            return Map.of();
        }
        Map<String, Field> fields = new LinkedHashMap<>();
        for (YamlMap.Entry entry : map.entries()) {
            fields.put(entry.key().text(), under(entry));
        }
        return fields;
    }

    /**
     * Returns the values of a map by resource type, in the order of the file. {@code cpu} means {@code vcore}; having
     * both is a problem.
     */
    public Map<String, Field> asTypeMap(String what) {
        Map<String, Field> fields = new LinkedHashMap<>();
        asMap(what).forEach((name, field) -> {
            if (fields.putIfAbsent(ResourceTypes.canonicalName(name), field) != null) {
                field.keyProblem(() -> "cpu and vcore are the same resource type: remove one of them");
            }
        });
        return fields;
    }

    /** Returns the value of this resource type in a map, for its position; the map itself if it has no such key. */
    public Field typePosition(String type) {
        if (value instanceof YamlMap map) {
            for (YamlMap.Entry entry : map.entries()) {
                if (ResourceTypes.canonicalName(entry.key().text()).equals(type)) {
                    return under(entry);
                }
            }
        }
        return this;
    }

    /** Reads each item of a list with this method, and leaves out those for which it returns null. */
    public List<String> asTexts(String what, Function<Field, @Nullable String> each) {
        List<String> texts = new ArrayList<>(size());
        forEach(what, item -> {
            String text = each.apply(item);
            if (text != null) {
                texts.add(text);
            }
        });
        return texts;
    }

    /** Reads each value of a map with this method, and leaves out those for which it returns null. */
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

    /** Reads amounts by resource type. An invalid amount is reported and left out. */
    public Resources asResources() {
        return AmountsText.read(this);
    }

    /**
     * Reads a map that may have only these keys; null, after a problem, if this is not a map. A missing value is an
     * empty map.
     */
    public @Nullable Section asSection(String what, Keys keys) {
        if (isNull()) {
            return new Section(this, new YamlMap(List.of(), value.line(), value.column()), keys);
        }
        if (!(value instanceof YamlMap map)) {
            problem("expected " + what + ", found " + value.kind() + ": write a map with keys such as "
                    + SpellingHints.enumerated(keys.examples()));
            return null;
        }
        Section section = new Section(this, map, keys);
        section.checkKeys(what);
        return section;
    }
}
