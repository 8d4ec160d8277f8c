package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import dev.sluice.core.resource.ResourceTypes;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sources of a mapping: the name of a column, or a map with details.
 *
 * <p>Every method returns null after it has reported a problem at the position in the mapping.
 */
final class SourceReader {

    private static final Map<String, Long> UNITS = units();
    private static final long SECOND = 1_000_000_000L;
    private static final int FACTORS_MAX = 8;

    private final @Nullable List<String> columns;

    /** Reads sources for a table with these columns; null: column names are not checked. */
    SourceReader(@Nullable List<String> columns) {
        this.columns = columns == null ? null : List.copyOf(columns);
    }

    private static Map<String, Long> units() {
        Map<String, Long> units = new LinkedHashMap<>();
        units.put("d", 86_400 * SECOND);
        units.put("h", 3_600 * SECOND);
        units.put("m", 60 * SECOND);
        units.put("s", SECOND);
        units.put("ms", 1_000_000L);
        units.put("us", 1_000L);
        units.put("ns", 1L);
        return units;
    }

    /** Returns the number of the named column. */
    @Nullable Integer column(Field field) {
        String name = field.asText();
        if (name == null) {
            return null;
        }
        if (columns == null) {
            return 0;
        }
        int index = columns.indexOf(name);
        if (index < 0) {
            field.unknown("column", name, columns);
            return null;
        }
        if (columns.lastIndexOf(name) > index) {
            field.problem("duplicate column " + Field.quoted(name) + ": name all columns under columns");
            return null;
        }
        return index;
    }

    /** Reads a column or a constant. */
    @Nullable TextSource text(Field field) {
        if (!field.isMap()) {
            Integer column = column(field);
            return column == null ? null : new TextSource(column, null);
        }
        Section section = field.asSection("a source of texts", MappingKeys.TEXT_SOURCE);
        return section == null ? null : text(section);
    }

    private @Nullable TextSource text(Section section) {
        String constant = section.readOrNull("constant", SourceReader::name);
        if (!isOne(section, "column", "constant")) {
            return null;
        }
        if (section.get("constant") != null) {
            return constant == null ? null : new TextSource(TextSource.CONSTANT, constant);
        }
        Integer column = section.readOrNull("column", this::column);
        return column == null ? null : new TextSource(column, section.readOrNull("whenempty", SourceReader::name));
    }

    private static @Nullable String name(Field field) {
        return field.asName("this", TaskSpec.NAME_LENGTH_MAX);
    }

    /** Reports a problem unless exactly one of these keys is present. */
    private static boolean isOne(Section section, String... keys) {
        String found = null;
        for (String key : keys) {
            Field field = section.get(key);
            if (field != null && found != null) {
                field.keyProblem(() -> "more than one source: remove all but one");
                return false;
            }
            found = field == null ? found : key;
        }
        if (found == null) {
            section.self().problem("missing source: write one of " + String.join(", ", keys));
        }
        return found != null;
    }

    /** Reads texts by name. */
    SortedMap<String, TextSource> texts(Field field, String what) {
        SortedMap<String, TextSource> sources = new TreeMap<>();
        field.asMap(what).forEach((name, each) -> put(sources, name, each, this::text));
        return sources;
    }

    private static <T> void put(SortedMap<String, T> map, String name, Field field, Function<Field, @Nullable T> how) {
        if (name.isEmpty() || name.length() > TaskSpec.NAME_LENGTH_MAX) {
            field.keyProblem(() -> "name must have 1 to " + TaskSpec.NAME_LENGTH_MAX + " characters");
            return;
        }
        T read = how.apply(field);
        if (read != null) {
            map.put(name, read);
        }
    }

    /** Reads required node labels. */
    List<LabelSource> labels(Field field) {
        SortedMap<String, LabelSource> sources = new TreeMap<>();
        field.asMap("labels and columns").forEach((name, each) -> put(sources, name, each, it -> label(name, it)));
        return List.copyOf(sources.values());
    }

    private @Nullable LabelSource label(String label, Field field) {
        LabelSource.MultiValuePolicy several = LabelSource.MultiValuePolicy.UNCONSTRAINED;
        if (!field.isMap()) {
            TextSource source = text(field);
            return source == null ? null : new LabelSource(label, source, "", several);
        }
        Section section = field.asSection("a label", MappingKeys.LABEL_SOURCE);
        if (section == null) {
            return null;
        }
        TextSource source = text(section);
        String separator = section.read("separator", "", SourceReader::name);
        Field severalField = section.get("several");
        if ((severalField == null) != (section.get("separator") == null)) {
            section.self()
                    .problem("separator and several must be given together: the text between alternatives, and one of "
                            + LabelSource.MultiValuePolicy.WORDS.keySet());
            return null;
        }
        LabelSource.MultiValuePolicy given = severalField == null
                ? several
                : severalField.asEnum("value of several", LabelSource.MultiValuePolicy.WORDS);
        return source == null || given == null ? null : new LabelSource(label, source, separator, given);
    }

    /** Reads amounts by resource type. */
    List<AmountSource> amounts(Field field) {
        SortedMap<String, AmountSource> sources = new TreeMap<>();
        field.asTypeMap("resource types and columns")
                .forEach((type, each) -> put(sources, type, each, it -> amount(type, it)));
        return List.copyOf(sources.values());
    }

    private @Nullable AmountSource amount(String type, Field field) {
        long one = type.equals(ResourceTypes.VCORE) ? 1000 : 1;
        if (!field.isMap()) {
            Integer column = column(field);
            return column == null ? null : new AmountSource(type, List.of(column), one, null);
        }
        Section section = field.asSection("a source of amounts", MappingKeys.AMOUNT_SOURCE);
        if (section == null || !isOne(section, "column", "product", "constant")) {
            return null;
        }
        Long constant = section.readOrNull("constant", each -> quantity(type, each));
        if (section.get("constant") != null) {
            return constant == null ? null : new AmountSource(type, List.of(), constant, null);
        }
        Long unit = section.read("unit", one, each -> quantity(type, each));
        BigDecimal whenEmpty = section.readOrNull("whenempty", SourceReader::number);
        List<Integer> factors = new ArrayList<>();
        Integer column = section.readOrNull("column", this::column);
        if (column != null) {
            factors.add(column);
        }
        Field product = section.get("product");
        for (Field each : product == null ? List.<Field>of() : product.asList("columns")) {
            Integer factor = column(each);
            if (factor != null) {
                factors.add(factor);
            }
        }
        if (factors.size() > FACTORS_MAX) {
            section.self().problem("a product must have at most " + FACTORS_MAX + " factors");
            return null;
        }
        if (product != null && product.isList() && product.asList("columns").isEmpty()) {
            product.problem("empty list: name the columns to multiply");
        }
        return factors.isEmpty() ? null : new AmountSource(type, factors, unit, whenEmpty);
    }

    private static @Nullable Long quantity(String type, Field field) {
        String text = field.asText();
        try {
            return text == null ? null : Long.valueOf(Quantity.parse(type, text).value());
        } catch (QuantityException e) {
            field.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static @Nullable BigDecimal number(Field field) {
        String text = field.asText();
        BigDecimal number = text == null ? null : DecimalText.parse(text);
        if (text != null && (number == null || number.signum() < 0)) {
            field.problem(Field.quoted(text) + " is not a number of at least 0");
            return null;
        }
        return number;
    }

    /** Reads the source of an instant. */
    @Nullable TimeSource time(Field field) {
        if (!field.isMap()) {
            Integer column = column(field);
            return column == null ? null : new TimeSource(column, new TimeSource.EpochOffset(Instant.EPOCH, SECOND));
        }
        Section section = field.asSection("a source of instants", MappingKeys.TIME_SOURCE);
        Field columnField =
                section == null ? null : section.require("column", "missing column: write column: and its name");
        Integer column = columnField == null ? null : column(columnField);
        TimeSource.Notation notation = section == null ? null : notation(section);
        return column == null || notation == null ? null : new TimeSource(column, notation);
    }

    private static TimeSource.@Nullable Notation notation(Section section) {
        Field format = section.get("format");
        if (format == null) {
            Instant since = section.read("since", Instant.EPOCH, Field::asInstant);
            return new TimeSource.EpochOffset(since, unit(section));
        }
        for (String key : List.of("unit", "since")) {
            Field stray = section.get(key);
            if (stray != null) {
                stray.keyProblem(() -> key + " applies to numbers and format to dates: remove one");
                return null;
            }
        }
        return date(format);
    }

    private static TimeSource.@Nullable Notation date(Field format) {
        String pattern = format.asText();
        if (pattern == null) {
            return null;
        }
        try {
            TimeSource.Date date = new TimeSource.Date(
                    pattern,
                    DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC));
            if (date.parse(date.formatter().format(Instant.EPOCH)) != null) {
                return date;
            }
        } catch (IllegalArgumentException | DateTimeException | ClassCastException e) {
            // reported below; ofPattern fails by a cast if digits follow a padded field
        }
        format.problem(Field.quoted(pattern)
                + " is not a date format that includes the day: write for example yyyy-MM-dd HH:mm:ss");
        return null;
    }

    private static long unit(Section section) {
        return section.read("unit", SECOND, field -> field.asEnum("unit", UNITS));
    }

    /** Reads the source of a duration. */
    @Nullable DurationSource duration(Field field) {
        if (!field.isMap()) {
            Integer column = column(field);
            return column == null ? null : new DurationSource.ColumnDuration(column, SECOND);
        }
        Section section = field.asSection("a source of durations", MappingKeys.DURATION_SOURCE);
        if (section == null || !isOne(section, "column", "constant", "from")) {
            return null;
        }
        Field constant = section.get("constant");
        if (constant != null) {
            var duration = constant.asDuration();
            return duration == null ? null : new DurationSource.ConstantDuration(duration);
        }
        if (section.get("from") != null) {
            Integer from = section.readOrNull("from", this::column);
            Field toField = section.require("to", "missing to: write to: and a column in addition to from");
            Integer to = toField == null ? null : column(toField);
            TimeSource.Notation notation = notation(section);
            return from == null || to == null || notation == null
                    ? null
                    : new DurationSource.Span(new TimeSource(from, notation), new TimeSource(to, notation));
        }
        for (String key : List.of("to", "format")) {
            Field stray = section.get(key);
            if (stray != null) {
                stray.keyProblem(() -> key + " is only allowed together with from");
                return null;
            }
        }
        Integer column = section.readOrNull("column", this::column);
        return column == null ? null : new DurationSource.ColumnDuration(column, unit(section));
    }

    /** Reads the rules that exclude rows. */
    List<ExclusionRule> exclusions(Field field) {
        List<ExclusionRule> rules = new ArrayList<>();
        for (Field each : field.asList("rows to leave out")) {
            Section section = each.asSection("a rule that leaves rows out", MappingKeys.EXCLUDE_RULE);
            if (section == null || !isOne(section, "is", "isnot")) {
                continue;
            }
            Field columnField = section.require("column", "missing column: write column: and its name");
            Integer column = columnField == null ? null : column(columnField);
            boolean is = section.get("is") != null;
            Field texts = section.get(is ? "is" : "isnot");
            List<String> listed = texts == null ? List.of() : words(texts);
            if (column != null) {
                rules.add(new ExclusionRule(column, listed, is ? ExclusionRule.When.IS : ExclusionRule.When.IS_NOT));
            }
        }
        return rules;
    }

    private static List<String> words(Field field) {
        if (field.isList()) {
            return field.asTexts("texts", Field::asText);
        }
        String text = field.asText();
        return text == null ? List.of() : List.of(text);
    }
}
