package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an amount of a resource type comes from: the product of columns and a unit.
 *
 * @param type the resource type
 * @param columns the columns, from 0; without any, it is the unit itself in every row
 * @param unit base units that one of what the columns count is worth
 * @param whenEmpty what an empty column counts; null: a row with an empty column is broken
 */
record AmountSource(
        String type,
        List<Integer> columns,
        long unit,
        @Nullable BigDecimal whenEmpty) {

    /** What {@link #read} gives after a fault. */
    static final long BROKEN = -1;

    private static final BigDecimal AMOUNT_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    AmountSource {
        columns = List.copyOf(columns);
    }

    /** The base units for this row, rounded this way; {@link #BROKEN} after a fault. */
    long read(CsvRows row, RoundingMode rounding) {
        BigDecimal amount = BigDecimal.valueOf(unit);
        for (int column : columns) {
            BigDecimal factor = factor(row, column);
            if (factor == null) {
                return BROKEN;
            }
            amount = amount.multiply(factor);
        }
        if (amount.compareTo(AMOUNT_MAX) > 0) {
            row.fail(columns.get(0), "so much " + type + " is out of range: " + Field.quoted(row.text(columns.get(0))));
            return BROKEN;
        }
        return amount.setScale(0, rounding).longValueExact();
    }

    private @Nullable BigDecimal factor(CsvRows row, int column) {
        if (row.isEmpty(column)) {
            if (whenEmpty == null) {
                row.fail(column, "there is nothing here: an amount of " + type + " is wanted");
            }
            return whenEmpty;
        }
        BigDecimal factor = DecimalText.parse(row.text(column));
        if (factor == null || factor.signum() < 0) {
            row.fail(
                    column,
                    Field.quoted(row.text(column)) + " is no amount of " + type + ": a number, 0 or more, is wanted");
            return null;
        }
        return factor;
    }
}
