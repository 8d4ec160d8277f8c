package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import dev.sluice.core.application.TaskSpec;
import org.jspecify.annotations.Nullable;

/**
 * The source of a text.
 *
 * @param column the column, from 0; {@link #CONSTANT} if every row has the same text
 * @param defaultValue the text of every row, or of rows with an empty column; null: none
 */
record TextSource(int column, @Nullable String defaultValue) {

    static final int CONSTANT = -1;

    /**
     * Returns the text for this row; null if there is none, or after a fault: names are short and have no control
     * characters.
     */
    @Nullable String read(CsvRows row, String what) {
        if (column == CONSTANT || row.isEmpty(column)) {
            return defaultValue;
        }
        String text = row.text(column);
        if (text.length() > TaskSpec.NAME_LENGTH_MAX || text.chars().anyMatch(Character::isISOControl)) {
            row.fail(
                    column,
                    what + " must have 1 to " + TaskSpec.NAME_LENGTH_MAX
                            + " characters, none of them a line break or another control character, not "
                            + Field.quoted(text));
            return null;
        }
        return text;
    }
}
