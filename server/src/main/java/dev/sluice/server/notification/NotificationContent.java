package dev.sluice.server.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.config.notification.NotificationKind;
import dev.sluice.server.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What is sent.
 *
 * @param id the id: the same for the same event, in whatever order and how often it is made
 * @param json a JSON object
 */
record NotificationContent(String id, String json) {

    private static final JsonMapper MAPPER = Json.mapper();

    /**
     * Returns the content about an event.
     *
     * @param name the name of the application; null for a threshold
     * @param event the event, which becomes JSON
     */
    static NotificationContent of(NotificationKind kind, @Nullable String name, Object event) {
        String id = UUID.nameUUIDFromBytes((kind.wireName() + " " + MAPPER.writeValueAsString(event)).getBytes(UTF_8))
                .toString();
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("id", id);
        content.put("notification", kind.wireName());
        if (name != null) {
            content.put("name", name);
        }
        content.put("event", event);
        return new NotificationContent(id, MAPPER.writeValueAsString(content));
    }

    /** Returns the environment variables of a command that receives this content. */
    static Map<String, String> variables(String json) {
        JsonNode content = MAPPER.readTree(json);
        JsonNode event = content.path("event");
        JsonNode data = event.path("data");
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("SLUICE_NOTIFICATION", text(content, "notification"));
        variables.put("SLUICE_NOTIFICATION_ID", text(content, "id"));
        variables.put("SLUICE_NOTIFICATION_TYPE", text(event, "type"));
        variables.put("SLUICE_PARTITION", text(event, "partition"));
        variables.put("SLUICE_QUEUE", text(data, "queue"));
        variables.put("SLUICE_USER", text(data, "user"));
        variables.put("SLUICE_APPLICATION", text(data, "application"));
        variables.put("SLUICE_APPLICATION_NAME", text(content, "name"));
        variables.put("SLUICE_TASK", text(data, "task"));
        variables.put("SLUICE_STATE", text(data, "to") + text(data, "outcome") + text(data, "state"));
        return variables;
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asString("").replace('\0', '\ufffd');
    }
}
