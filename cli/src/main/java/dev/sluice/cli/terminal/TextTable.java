package dev.sluice.cli.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Rows in aligned columns, as wide as what is in them. A table that has more rows than it may show says how many it leaves out.
 */
public final class TextTable {

    private static final String GAP = "  ";

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Cell>> rows = new ArrayList<>();
    private final int rowsMax;
    private long leftOut;

    /** A table that shows so many rows at most. */
    public TextTable(int rowsMax) {
        this.rowsMax = rowsMax;
    }

    private record Column(String title, boolean right) {}

    /**
     * What stands in a row and a column.
     *
     * @param text the text, which is made printable
     * @param emphasis how it is shown
     */
    public record Cell(String text, UnaryOperator<String> emphasis) {

        /** Makes the text fit for one line of a terminal. */
        public Cell {
            text = TextWidth.printable(text);
        }

        /** A text without emphasis. */
        public static Cell of(String text) {
            return new Cell(text, UnaryOperator.identity());
        }

        /** A number without emphasis. */
        public static Cell of(long number) {
            return of(Long.toString(number));
        }
    }

    /** Adds a column of texts. */
    public TextTable text(String title) {
        columns.add(new Column(title, false));
        return this;
    }

    /** Adds a column of numbers. */
    public TextTable number(String title) {
        columns.add(new Column(title, true));
        return this;
    }

    /** Whether the next row would be shown; if not, {@link #leaveOut} need not be given its cells. */
    public boolean hasRoom() {
        return rows.size() < rowsMax;
    }

    /** Counts a row that is not shown. */
    public void leaveOut() {
        leftOut++;
    }

    /** Adds a row, or counts it if there is no room for it. */
    public void row(List<Cell> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(columns.size() + " columns, " + cells.size() + " cells");
        }
        if (hasRoom()) {
            rows.add(List.copyOf(cells));
        } else {
            leaveOut();
        }
    }

    /** Writes the table, every line after this indent. */
    public void print(PrintWriter out, Style style, String indent) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = TextWidth.of(columns.get(i).title);
            for (List<Cell> row : rows) {
                widths[i] = Math.max(widths[i], TextWidth.of(row.get(i).text));
            }
        }
        List<Cell> titles = columns.stream()
                .map(column -> new Cell(column.title, style::faint))
                .toList();
        print(titles, widths, out, indent);
        for (List<Cell> row : rows) {
            print(row, widths, out, indent);
        }
        if (leftOut > 0) {
            out.println(indent + style.faint("… and " + leftOut + " more (--all shows them)"));
        }
    }

    private void print(List<Cell> row, int[] widths, PrintWriter out, String indent) {
        StringBuilder line = new StringBuilder(indent);
        StringBuilder space = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Cell cell = row.get(i);
            String fill = " ".repeat(widths[i] - TextWidth.of(cell.text));
            boolean right = columns.get(i).right;
            if (right) {
                space.append(fill);
            }
            if (!cell.text.isEmpty()) {
                line.append(space).append(cell.emphasis.apply(cell.text));
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
