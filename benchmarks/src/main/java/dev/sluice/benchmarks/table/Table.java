package dev.sluice.benchmarks.table;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What was measured, in the order in which it is told.
 *
 * @param rows every row at most once
 */
record Table(List<RowResult> rows) {

    private static final List<String> HEADINGS =
            List.of("row", "what", "median (a tenth to nine tenths)", "must", "aim", "");

    /** Copies the list. */
    Table {
        rows = List.copyOf(rows);
    }

    /** These rows, with others in the place of those that have the same names; what is new comes last. */
    Table with(List<RowResult> others) {
        List<RowResult> merged = new ArrayList<>(rows);
        for (RowResult other : others) {
            int index = merged.stream().map(RowResult::row).toList().indexOf(other.row());
            if (index < 0) {
                merged.add(other);
            } else {
                merged.set(index, other);
            }
        }
        return new Table(merged);
    }

    /** The rows with these names, in the order of the names; names that no row has are passed over. */
    Table inOrderOf(List<String> names) {
        return new Table(names.stream()
                .flatMap(name -> rows.stream().filter(row -> row.row().equals(name)))
                .toList());
    }

    /** As Markdown, with where and how it was measured. */
    String markdown() {
        StringBuilder text = new StringBuilder();
        for (String machine : new TreeSet<>(
                rows.stream().map(row -> row.machine().withoutLoad()).toList())) {
            text.append(machine).append(".\n\n");
        }
        markdownLine(text, HEADINGS);
        markdownLine(text, HEADINGS.stream().map(heading -> "---").toList());
        cells().forEach(cells -> markdownLine(text, cells));
        text.append('\n');
        for (RowResult row : rows) {
            text.append("- `")
                    .append(row.row())
                    .append("`: ")
                    .append(row.title())
                    .append(". ")
                    .append(row.about());
            text.append(" Load before: ").append(row.machine().load()).append(".\n");
        }
        return text.toString();
    }

    private static void markdownLine(StringBuilder text, List<String> cells) {
        for (String cell : cells) {
            text.append("| ").append(cell.replace("|", "\\|")).append(' ');
        }
        text.append("|\n");
    }

    /** As lines for a terminal, in columns. */
    String text() {
        List<List<String>> all = new ArrayList<>();
        all.add(HEADINGS);
        all.addAll(cells());
        int[] widths = new int[HEADINGS.size()];
        for (List<String> cells : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], cells.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> cells : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(cells.get(i))
                        .append(" ".repeat(widths[i] - cells.get(i).length() + 2));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private List<List<String>> cells() {
        List<List<String>> all = new ArrayList<>();
        for (RowResult row : rows) {
            String name = row.row();
            for (Line line : row.lines()) {
                Bound bound = line.bound();
                all.add(List.of(
                        name,
                        line.what(),
                        line.value() == null ? line.remark() : line.valueText(),
                        bound == null ? "" : bound.mustText(),
                        bound == null ? "" : bound.aimText(),
                        line.verdict().words()));
                name = "";
            }
        }
        return all;
    }
}
