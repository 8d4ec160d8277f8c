package dev.sluice.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A table with aligned columns. If it has more rows than its maximum, the last line gives the number of omitted rows.
 */
public final class TextTable {

    private static final String GAP = "  ";

    /** Minimum width of a shortened column. */
    private static final int SHORTENED_MIN = 8;

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Cell>> rows = new ArrayList<>();
    private final int rowsMax;
    private long omittedRows;

    /** @param rowsMax maximum number of rows */
    public TextTable(int rowsMax) {
        this.rowsMax = rowsMax;
    }

    private record Column(String title, boolean right) {}

    /**
     * A cell.
     *
     * @param text the text, made printable
     * @param emphasis how it is emphasized
     */
    public record Cell(String text, UnaryOperator<String> emphasis) {

        public Cell {
            text = TextWidth.printable(text);
        }

        /** Returns a cell without emphasis. */
        public static Cell of(String text) {
            return new Cell(text, UnaryOperator.identity());
        }

        /** Returns a number without emphasis. */
        public static Cell of(long number) {
            return of(Long.toString(number));
        }
    }

    /** Adds a left-aligned column. */
    public TextTable text(String title) {
        columns.add(new Column(title, false));
        return this;
    }

    /** Adds a right-aligned column. */
    public TextTable number(String title) {
        columns.add(new Column(title, true));
        return this;
    }

    /** Whether the next row would be shown; if not, {@link #omitRow} saves computing its cells. */
    public boolean hasFreeRow() {
        return rows.size() < rowsMax;
    }

    /** Counts an omitted row. */
    public void omitRow() {
        omittedRows++;
    }

    /** Adds a row, or counts it as omitted if the table is full. */
    public void row(List<Cell> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(columns.size() + " columns, " + cells.size() + " cells");
        }
        if (hasFreeRow()) {
            rows.add(List.copyOf(cells));
        } else {
            omitRow();
        }
    }

    /**
     * Prints the table with an indent; on a terminal it fits the width, see
     * {@link #print(PrintWriter, Style, String, int)}.
     */
    public void print(PrintWriter out, Style style, String indent) {
        print(out, style, indent, TerminalSize.tableColumns());
    }

    /**
     * Prints the table so that no line is wider than {@code widthMax}: the widest text columns are shortened first; if
     * that is not enough, columns are omitted from the right, and the last line names them.
     */
    public void print(PrintWriter out, Style style, String indent, int widthMax) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = TextWidth.of(columns.get(i).title);
            for (List<Cell> row : rows) {
                widths[i] = Math.max(widths[i], TextWidth.of(row.get(i).text));
            }
        }
        int shown = fit(widths, widthMax - TextWidth.of(indent));
        List<Cell> titles = columns.stream()
                .map(column -> new Cell(column.title, style::faint))
                .toList();
        print(titles, widths, shown, out, indent);
        for (List<Cell> row : rows) {
            print(row, widths, shown, out, indent);
        }
        if (omittedRows > 0) {
            out.println(indent + style.faint("… and " + omittedRows + " more (--all shows them)"));
        }
        if (shown < widths.length) {
            String omitted = String.join(
                    ", ",
                    columns.stream()
                            .skip(shown)
                            .map(Column::title)
                            .filter(title -> !title.isEmpty())
                            .toList());
            String note = indent + "… columns omitted, terminal too narrow: " + omitted;
            out.println(style.faint(TextWidth.shortened(note, widthMax)));
        }
    }

    /** Narrows text columns to fit; returns the number of columns that do. */
    private int fit(int[] widths, int widthMax) {
        int shown = widths.length;
        while (shown > 1 && total(widths, shown) > widthMax) {
            int widest = widest(widths, shown);
            if (widest < 0) {
                shown--;
            } else {
                widths[widest]--;
            }
        }
        return shown;
    }

    private static int total(int[] widths, int shown) {
        int total = GAP.length() * (shown - 1);
        for (int i = 0; i < shown; i++) {
            total += widths[i];
        }
        return total;
    }

    /** Returns the widest text column that may be narrowed, or -1. */
    private int widest(int[] widths, int shown) {
        int widest = -1;
        for (int i = 0; i < shown; i++) {
            int min = Math.max(SHORTENED_MIN, TextWidth.of(columns.get(i).title));
            boolean mayShrink = !columns.get(i).right && widths[i] > min;
            if (mayShrink && (widest < 0 || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        return widest;
    }

    private void print(List<Cell> row, int[] widths, int shown, PrintWriter out, String indent) {
        StringBuilder line = new StringBuilder(indent);
        StringBuilder space = new StringBuilder();
        for (int i = 0; i < shown; i++) {
            Cell cell = row.get(i);
            String text = TextWidth.shortened(cell.text, widths[i]);
            String fill = " ".repeat(widths[i] - TextWidth.of(text));
            boolean right = columns.get(i).right;
            if (right) {
                space.append(fill);
            }
            if (!text.isEmpty()) {
                line.append(space).append(cell.emphasis.apply(text));
                space.setLength(0);
            }
            if (!right) {
                space.append(fill);
            }
            space.append(GAP);
        }
        out.println(line);
    }
}
