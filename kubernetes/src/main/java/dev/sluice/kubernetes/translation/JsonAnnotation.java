package dev.sluice.kubernetes.translation;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads annotations whose value is JSON. */
final class JsonAnnotation {

    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private JsonAnnotation() {}

    /** Returns the value of an annotation, or null if it is missing, or not valid, which is refused. */
    static <T> @Nullable T read(Metadata metadata, String key, TypeReference<T> type, String form, Refusals refusals) {
        String text = metadata.annotation(key);
        if (text == null) {
            return null;
        }
        String expected = "write JSON of the form " + form;
        try (JsonParser parser = JSON.createParser(text)) {
            T value = JSON.readValue(parser, type);
            if (value != null && parser.nextToken() == null) {
                return value;
            }
            refusals.add("annotation " + key, "must be one value that is not null: " + expected);
        } catch (IOException e) {
            String problem = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
            refusals.add("annotation " + key, "is not valid: " + problem + ": " + expected);
        }
        return null;
    }
}
