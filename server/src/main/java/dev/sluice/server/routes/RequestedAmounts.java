package dev.sluice.server.routes;

import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Quantity;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads quantities by resource type from the field of a request. */
final class RequestedAmounts {

    private RequestedAmounts() {}

    /** Returns the resources; throws a {@link ProblemException} that names the field if one is invalid. */
    static Resources read(String field, Map<String, String> quantities) {
        SortedMap<String, Amount> amounts = new TreeMap<>();
        quantities.forEach((name, text) -> {
            String type = ResourceTypes.canonicalName(name);
            try {
                if (type.isEmpty()) {
                    throw new IllegalArgumentException("a resource type must have a name");
                }
                if (amounts.put(type, Quantity.parse(type, text)) != null) {
                    throw new IllegalArgumentException(
                            "both cpu and vcore are given; cpu is an alias of vcore, use one of them");
                }
            } catch (IllegalArgumentException e) {
                throw ProblemException.of(ProblemKind.INVALID, field + ": " + e.getMessage());
            }
        });
        return Resources.of(amounts);
    }
}
