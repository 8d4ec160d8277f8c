package dev.sluice.config.reference;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes the tables of a reference page, as Markdown, into the marked regions of the page's text:
 *
 * <pre>
 * &lt;!-- begin generated: task --&gt;
 * &lt;!-- end generated --&gt;
 * </pre>
 */
public final class ReferenceTables {

    private static final String BEGIN = "<!-- begin generated: ";
    private static final String END = "<!-- end generated -->";
    private static final Pattern REGION = Pattern.compile(
            Pattern.quote(BEGIN) + "([a-z ]+) -->\n(?:(?!" + Pattern.quote(BEGIN) + ").)*?" + Pattern.quote(END),
            Pattern.DOTALL);

    private final ReferencePage page;
    private final FileFormat format;
    private final Set<String> onPage;

    private ReferenceTables(ReferencePage page, FileFormat format, Set<String> onPage) {
        this.page = page;
        this.format = format;
        this.onPage = onPage;
    }

    /**
     * Returns the text of a page with up-to-date tables.
     *
     * @param formats the file formats that the page documents
     * @throws IllegalArgumentException if the page lacks the region of one of its sections, or has a region that no
     *     section has
     */
    public static String update(ReferencePage page, List<FileFormat> formats, String text) {
        Map<String, FileFormat> formatOf = new LinkedHashMap<>();
        Map<String, Keys> sections = new LinkedHashMap<>();
        for (FileFormat format : formats) {
            Map<String, Keys> found = new LinkedHashMap<>();
            format.roots().forEach(root -> collect(root, format, found));
            found.forEach((name, keys) -> {
                sections.putIfAbsent(name, keys);
                formatOf.putIfAbsent(name, format);
            });
        }
        Set<String> onPage = new TreeSet<>();
        REGION.matcher(text).results().forEach(region -> onPage.add(region.group(1)));
        Set<String> missing = sections.values().stream()
                .filter(keys -> keys.page() == page)
                .map(Keys::section)
                .collect(Collectors.toCollection(TreeSet::new));
        missing.removeAll(onPage);
        Set<String> unknown = new TreeSet<>(onPage);
        unknown.removeAll(sections.keySet());
        if (!missing.isEmpty() || !unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    page.path() + ": regions of sections are missing: " + missing + ", unknown: " + unknown);
        }
        return REGION.matcher(text).replaceAll(region -> {
            String name = region.group(1);
            FileFormat format = formatOf.get(name);
            Keys keys = sections.get(name);
            if (format == null || keys == null) {
                throw new IllegalStateException("no section " + name);
            }
            return Matcher.quoteReplacement(
                    BEGIN + name + " -->\n" + new ReferenceTables(page, format, onPage).table(keys) + END);
        });
    }

    /** Adds a section and those that its keys lead to. */
    private static void collect(Keys keys, FileFormat format, Map<String, Keys> to) {
        if (to.putIfAbsent(keys.section(), keys) == null) {
            keys.all().stream().filter(format::has).forEach(key -> collect(key.type(), format, to));
            Keys included = keys.included();
            if (included != null) {
                collect(included, format, to);
            }
        }
    }

    private static void collect(KeyType type, FileFormat format, Map<String, Keys> to) {
        if (type instanceof KeyType.SectionOf section) {
            collect(section.keys().get(), format, to);
        } else if (type instanceof KeyType.ListOf list) {
            collect(list.item(), format, to);
        } else if (type instanceof KeyType.MapOf map) {
            collect(map.value(), format, to);
        } else if (type instanceof KeyType.AnyOf anyOf) {
            anyOf.types().forEach(each -> collect(each, format, to));
        }
    }

    private String table(Keys keys) {
        List<Key> shown = keys.own().stream().filter(format::has).toList();
        boolean hasPlaces = shown.stream().anyMatch(key -> !key.appliesTo().isEmpty());
        StringBuilder text = new StringBuilder("| key | type | default | meaning | example |\n");
        text.append("| --- | --- | --- | --- | --- |\n");
        if (hasPlaces) {
            text = new StringBuilder("| key | applies to | type | default | meaning | example |\n");
            text.append("| --- | --- | --- | --- | --- | --- |\n");
        }
        for (Key key : shown) {
            List<String> cells = new ArrayList<>();
            cells.add("`" + key.name() + "`");
            if (hasPlaces) {
                cells.add(key.appliesTo());
            }
            cells.add(label(key.type()));
            cells.add(key.required() ? "required" : defaultText(key.defaultsTo()));
            cells.add(key.meaning());
            cells.add(key.example().isEmpty() ? "" : "`" + key.example() + "`");
            text.append(cells.stream()
                    .map(cell -> cell.isEmpty() ? "" : " " + cell.replace("|", "\\|"))
                    .collect(Collectors.joining(" |", "|", " |\n")));
        }
        Keys included = keys.included();
        if (included != null) {
            text.append("\nFurther keys: those of ").append(link(included)).append(".\n");
        }
        return text.toString();
    }

    /** A value as code, a phrase as it is. */
    private static String defaultText(String text) {
        boolean value = !text.contains(" ") || text.startsWith("{");
        return text.isEmpty() ? "–" : value && !text.contains("`") ? "`" + text + "`" : text;
    }

    private String link(Keys keys) {
        String name = keys.section();
        ReferencePage home = keys.page();
        String anchor = "#" + name.replace(' ', '-');
        if (onPage.contains(name) || home == null || home == page) {
            return "[" + name + "](" + anchor + ")";
        }
        return "[" + name + "](" + home.fileName() + anchor + ")";
    }

    private String label(KeyType type) {
        if (type instanceof KeyType.Text text) {
            return text.lengthMin() == 1 ? "name" : "text";
        }
        if (type instanceof KeyType.Whole whole) {
            return label(whole);
        }
        if (type instanceof KeyType.Plain plain) {
            return plain == KeyType.Plain.FLAG
                    ? "`true` or `false`"
                    : plain.name().toLowerCase(Locale.ROOT);
        }
        if (type instanceof KeyType.Words words) {
            return enumerated(
                    words.words().stream().map(word -> "`" + word + "`").toList());
        }
        if (type instanceof KeyType.Quotable quotable) {
            return label(quotable.type());
        }
        if (type instanceof KeyType.ListOf list) {
            return "list of " + label(list.item());
        }
        if (type instanceof KeyType.MapOf map) {
            return "map from " + map.key() + " to " + label(map.value());
        }
        if (type instanceof KeyType.SectionOf section) {
            return link(section.keys().get());
        }
        return enumerated(
                ((KeyType.AnyOf) type).types().stream().map(this::label).toList());
    }

    private static String label(KeyType.Whole whole) {
        boolean bounded = whole.max() < Integer.MAX_VALUE;
        if (bounded) {
            return String.format(Locale.ROOT, "whole number, %,d to %,d", whole.min(), whole.max());
        }
        return whole.min() == 0 || whole.min() == 1 ? "whole number, " + whole.min() + " or more" : "whole number";
    }

    private static String enumerated(Collection<String> words) {
        List<String> list = List.copyOf(words);
        int last = list.size() - 1;
        return last < 1 ? String.join("", list) : String.join(", ", list.subList(0, last)) + " or " + list.get(last);
    }
}
