package dev.sluice.config.output;

import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;

/** Writes amounts as files have them, such as {@code {memory: 1Gi, vcore: 500m}}. */
public final class AmountsOutput {

    private AmountsOutput() {}

    /** Returns the amounts by type: whole numbers without unit as numbers, all others as text. */
    public static Output of(Resources resources) {
        OutputMap map = new OutputMap();
        resources.amounts().forEach((type, amount) -> map.put(type, output(type, amount)));
        return map;
    }

    private static Output output(String type, Amount amount) {
        // the maximum amount means "unlimited", for which there is no notation
        String text = amount.isUnlimited()
                ? amount.value() + (type.equals(ResourceTypes.VCORE) ? "m" : "")
                : Quantity.format(type, amount);
        boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? new Output.Literal(text) : Output.text(text);
    }
}
