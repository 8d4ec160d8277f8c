package dev.sluice.config.field;

import dev.sluice.config.yaml.YamlScalar;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.QuantityException;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads amounts, written as a map such as {@code {vcore: 500m, memory: 1Gi}}. */
final class AmountsText {

    private AmountsText() {}

    /** Returns the amounts by resource type. An invalid amount is reported as a problem and left out. */
    static Resources read(Field field) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        field.asTypeMap("resource types and quantities").forEach((type, each) -> {
            Amount amount = amount(type, each);
            if (amount != null) {
                amounts.put(type, amount);
            }
        });
        return Resources.of(amounts);
    }

    private static @Nullable Amount amount(String type, Field field) {
        boolean cores = type.equals(ResourceTypes.VCORE);
        YamlScalar scalar = field.requireScalar("a quantity such as " + (cores ? "2 or 500m" : "512M or 2Gi"));
        if (scalar == null) {
            return null;
        }
        if (type.isEmpty()) {
            field.keyProblem(() -> "the name of a resource type must not be empty");
            return null;
        }
        try {
            return Quantity.parse(type, scalar.text());
        } catch (QuantityException e) {
            field.problem(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
