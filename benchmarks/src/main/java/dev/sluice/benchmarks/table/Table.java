package dev.sluice.benchmarks.table;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The results, in order.
 *
 * @param rows the rows, with unique names
 */
record Table(List<RowResult> rows) {

    private static final List<String> HEADINGS =
            List.of("row", "figure", "median (p10 to p90)", "required", "target", "verdict");

    Table {
        rows = List.copyOf(rows);
    }

    /** Returns this table with other rows: they replace rows of the same name, or are appended. */
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

    /** Returns the rows with these names, in this order; unknown names are ignored. */
    Table inOrderOf(List<String> names) {
        return new Table(names.stream()
                .flatMap(name -> rows.stream().filter(row -> row.row().equals(name)))
                .toList());
    }

    /** Returns the table as Markdown, with machines and descriptions. */
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
            text.append(" Load average before: ").append(row.machine().load()).append(".\n");
        }
        return text.toString();
    }

    private static void markdownLine(StringBuilder text, List<String> cells) {
        for (String cell : cells) {
            text.append("| ").append(cell.replace("|", "\\|")).append(' ');
        }
        text.append("|\n");
    }

    /** Returns the table as text with aligned columns. */
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
                        line.verdict().label()));
                name = "";
            }
        }
        return all;
    }
}
