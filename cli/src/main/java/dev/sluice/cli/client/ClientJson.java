package dev.sluice.cli.client;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON as this side reads it: what newer servers say besides is passed over. */
public final class ClientJson {

    /** Reads and writes. */
    public static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private ClientJson() {}

    /** This tree as a value of this type. */
    public static <T> T value(JsonNode tree, Class<T> type) {
        try {
            return MAPPER.treeToValue(tree, type);
        } catch (JacksonException e) {
            throw ClientException.failed("the server answered something that this program cannot read: "
                    + e.getOriginalMessage() + "; it may be of another version");
        }
    }

    /** An object without fields so far. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** A list without items so far. */
    public static ArrayNode list() {
        return MAPPER.createArrayNode();
    }
}
