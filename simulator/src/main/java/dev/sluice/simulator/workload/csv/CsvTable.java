package dev.sluice.simulator.workload.csv;

import dev.sluice.config.problem.Problems;
import dev.sluice.simulator.workload.lines.LineReader;
import dev.sluice.simulator.workload.lines.OpenFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of delimiter-separated values and the names of its columns.
 *
 * @param file the file, plain or gzipped
 * @param separator the column separator
 * @param columns the names of the columns, in order
 * @param firstRow what the first row contains
 */
record CsvTable(Path file, char separator, List<String> columns, FirstRow firstRow) {

    enum FirstRow {
        NAMES,
        DATA
    }

    CsvTable {
        columns = List.copyOf(columns);
    }

    /**
     * Opens the table in this file; null, with a problem of the file, if there is none.
     *
     * @param names the names of its columns; null: they are in the first row
     */
    static @Nullable CsvTable read(Path file, char separator, @Nullable List<String> names, Problems problems) {
        try (CsvRows rows = new CsvRows(LineReader.open(file), separator)) {
            if (names != null) {
                return new CsvTable(file, separator, names, FirstRow.DATA);
            }
            if (!rows.next()) {
                problems.error(1, 1, "empty file: the first line must name the columns");
                return null;
            }
            CsvRows.RowFault fault = rows.fault();
            if (fault != null) {
                problems.error((int) fault.line(), fault.column(), fault.reason());
                return null;
            }
            List<String> found = new ArrayList<>();
            for (int i = 0; i < rows.columns(); i++) {
                found.add(rows.text(i).strip());
            }
            return new CsvTable(file, separator, found, FirstRow.NAMES);
        } catch (IOException e) {
            problems.error(0, 0, OpenFailure.message(e));
            return null;
        }
    }

    /** Returns the file name without directories. */
    String name() {
        Path name = file.getFileName();
        return name == null ? file.toString() : name.toString();
    }

    /** Returns the data rows, from the first. */
    CsvRows open() throws IOException {
        CsvRows rows = new CsvRows(LineReader.open(file), separator);
        try {
            if (firstRow == FirstRow.NAMES) {
                rows.next();
            }
            return rows;
        } catch (IOException e) {
            rows.close();
            throw e;
        }
    }

    /** Records a fault if the row has more or fewer columns than the table. */
    void checkColumns(CsvRows row) {
        if (row.columns() != columns.size()) {
            row.fail("row has " + row.columns() + " columns instead of " + columns.size());
        }
    }
}
