package dev.sluice.cli.client;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * An HTTP response.
 *
 * @param status the HTTP status
 * @param text the body
 */
public record ServerAnswer(int status, String text) {

    /** Parses the body as JSON. */
    public JsonNode tree() {
        try {
            return ClientJson.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw ClientException.failed("the response is not JSON: " + e.getOriginalMessage());
        }
    }

    /** Parses the body as a value. */
    public <T> T as(Class<T> type) {
        return ClientJson.value(tree(), type);
    }

    /** Parses the body as a list of values. */
    public <T> List<T> asList(Class<T> type) {
        List<T> values = new ArrayList<>();
        tree().forEach(item -> values.add(ClientJson.value(item, type)));
        return values;
    }
}
