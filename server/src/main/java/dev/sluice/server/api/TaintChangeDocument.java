package dev.sluice.server.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sluice.server.route.OptionalField;
import java.util.List;

/** A change of the taints of a node. */
public record TaintChangeDocument(
        @JsonPropertyDescription("Taints that the node gets; one with the same key and effect is replaced.")
        @OptionalField
        List<TaintDocument> add,

        @JsonPropertyDescription("Taints that the node loses.") @OptionalField
        List<TaintSelectionDocument> remove) {

    /** Which taints of a node. */
    public record TaintSelectionDocument(
            @JsonPropertyDescription("The key of the taints.")
            String key,

            @JsonPropertyDescription("The effect of the taint; omitted: any.") @OptionalField
            String effect) {}
}
