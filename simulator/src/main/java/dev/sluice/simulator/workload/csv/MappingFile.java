package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.ReferencePage;
import dev.sluice.config.field.Section;
import dev.sluice.config.problem.ParseResult;
import dev.sluice.config.problem.Problems;
import dev.sluice.config.yaml.YamlReader;
import dev.sluice.config.yaml.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a mapping file for one table: the properties of the file as a whole, and one of its sections. */
final class MappingFile {

    static final String APPLICATIONS = "applications";
    static final String NODES = "nodes";

    private static final String TAB = "tab";
    private static final char COMMA = ',';

    private MappingFile() {}

    /** Reads a table according to one section of the mapping; returns null after a problem in the mapping. */
    interface MappingPart<T> {
        @Nullable T read(CsvTable table, Section part, SourceReader sources);
    }

    /**
     * Reads a table according to this section of a mapping.
     *
     * @param name the key of the section
     * @param keys the keys that the section may have
     */
    static <T> ParseResult<T> read(Path file, Path mapping, String name, Keys keys, MappingPart<T> part) {
        Problems problems = new Problems(mapping.toString());
        Section section = section(mapping, problems);
        if (section == null) {
            return problems.result(null);
        }
        Character separator = section.read("separator", COMMA, MappingFile::separator);
        List<String> names = names(section);
        Field partField = section.require(name, "missing section " + name + ", which maps the columns");
        if (partField == null || problems.count() > 0) {
            return problems.result(null);
        }
        Problems tableProblems = new Problems(file.toString());
        CsvTable table = CsvTable.read(file, separator, names, tableProblems);
        if (table == null) {
            return tableProblems.result(null);
        }
        Section partSection = partField.asSection("the section " + name, keys);
        return problems.result(
                partSection == null ? null : part.read(table, partSection, new SourceReader(table.columns())));
    }

    private static @Nullable Section section(Path mapping, Problems problems) {
        YamlValue document = YamlReader.read(mapping, problems);
        return document == null
                ? null
                : Field.root(document, problems, ReferencePage.WORKLOAD).asSection("a mapping", MappingKeys.MAPPING);
    }

    private static @Nullable List<String> names(Section section) {
        return section.readOrNull("columns", field -> field.asTexts("names of columns", Field::asText));
    }

    /** Checks a mapping without its table; returns its sections, or its problems. */
    static ParseResult<List<String>> check(Path mapping) {
        Problems problems = new Problems(mapping.toString());
        Section section = section(mapping, problems);
        if (section == null) {
            return problems.result(null);
        }
        section.read("separator", COMMA, MappingFile::separator);
        SourceReader sources = new SourceReader(names(section));
        List<String> parts = new ArrayList<>();
        Field applications = section.get(APPLICATIONS);
        if (applications != null) {
            parts.add(APPLICATIONS);
            Section part = applications.asSection("the section " + APPLICATIONS, MappingKeys.APPLICATIONS);
            if (part != null) {
                ApplicationMapping.read(part, sources);
            }
        }
        Field nodes = section.get(NODES);
        if (nodes != null) {
            parts.add(NODES);
            Section part = nodes.asSection("the section " + NODES, MappingKeys.NODES);
            if (part != null) {
                CsvNodes.check(part, sources);
            }
        }
        if (parts.isEmpty()) {
            section.self().problem("missing section: write " + APPLICATIONS + ", " + NODES + " or both");
        }
        return problems.result(parts);
    }

    private static @Nullable Character separator(Field field) {
        String text = field.asText();
        if (text == null) {
            return null;
        }
        String one = text.equals(TAB) ? "\t" : text;
        char first = one.isEmpty() ? '"' : one.charAt(0);
        if (one.length() != 1
                || first > '~'
                || (first < ' ' && first != '\t')
                || first == '"'
                || Character.isLetterOrDigit(first)) {
            field.problem(Field.quoted(text)
                    + " is not a valid separator: write one character such as \",\" or \";\", or tab");
            return null;
        }
        return first;
    }
}
