package dev.sluice.simulator.workload.csv;

import dev.sluice.config.field.Field;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The source of an amount of a resource type: the product of columns and a unit.
 *
 * @param type the resource type
 * @param columns the columns, from 0; if empty, every row has the amount {@code unit}
 * @param unit the base units per unit of the product
 * @param whenEmpty the value of an empty column; null: a row with an empty column is malformed
 */
record AmountSource(
        String type,
        List<Integer> columns,
        long unit,
        @Nullable BigDecimal whenEmpty) {

    /** The result of {@link #read} after a fault. */
    static final long INVALID = -1;

    private static final BigDecimal AMOUNT_MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    AmountSource {
        columns = List.copyOf(columns);
    }

    /** Returns the amount of this row in base units, rounded this way; {@link #INVALID} after a fault. */
    long read(CsvRows row, RoundingMode rounding) {
        BigDecimal amount = BigDecimal.valueOf(unit);
        for (int column : columns) {
            BigDecimal factor = factor(row, column);
            if (factor == null) {
                return INVALID;
            }
            amount = amount.multiply(factor);
        }
        if (amount.compareTo(AMOUNT_MAX) > 0) {
            row.fail(columns.get(0), "amount of " + type + " out of range: " + Field.quoted(row.text(columns.get(0))));
            return INVALID;
        }
        return amount.setScale(0, rounding).longValueExact();
    }

    private @Nullable BigDecimal factor(CsvRows row, int column) {
        if (row.isEmpty(column)) {
            if (whenEmpty == null) {
                row.fail(column, "empty field: expected an amount of " + type);
            }
            return whenEmpty;
        }
        BigDecimal factor = DecimalText.parse(row.text(column));
        if (factor == null || factor.signum() < 0) {
            row.fail(
                    column,
                    Field.quoted(row.text(column)) + " is not a valid amount of " + type
                            + ": expected a number of at least 0");
            return null;
        }
        return factor;
    }
}
