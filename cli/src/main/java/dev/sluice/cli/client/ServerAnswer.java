package dev.sluice.cli.client;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * What a server answered.
 *
 * @param status the HTTP status
 * @param text what it said
 */
public record ServerAnswer(int status, String text) {

    /** What it said, as JSON. */
    public JsonNode tree() {
        try {
            return ClientJson.MAPPER.readTree(text);
        } catch (JacksonException e) {
            throw ClientException.failed("the server answered something that is not JSON: " + e.getOriginalMessage());
        }
    }

    /** What it said, as a value of this type. */
    public <T> T as(Class<T> type) {
        return ClientJson.value(tree(), type);
    }

    /** What it said, as values of this type. */
    public <T> List<T> asList(Class<T> type) {
        List<T> values = new ArrayList<>();
        tree().forEach(item -> values.add(ClientJson.value(item, type)));
        return values;
    }
}
