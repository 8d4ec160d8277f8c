package dev.sluice.cli.client;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON mapping of the client; ignores unknown properties of newer servers. */
public final class ClientJson {

    public static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private ClientJson() {}

    /** Converts a tree to a value; throws {@link ClientException} if it does not match. */
    public static <T> T value(JsonNode tree, Class<T> type) {
        try {
            return MAPPER.treeToValue(tree, type);
        } catch (JacksonException e) {
            throw ClientException.failed(
                    "unreadable response: " + e.getOriginalMessage() + "; the server may have another version");
        }
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    public static ArrayNode list() {
        return MAPPER.createArrayNode();
    }
}
