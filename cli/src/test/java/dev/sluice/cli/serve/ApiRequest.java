package dev.sluice.cli.serve;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * A request in the audit log of an API server.
 *
 * @param resource the plural of the object, with its subresource, such as {@code pods/binding}
 * @param name the name of the object
 * @param target the node of a binding, otherwise empty
 */
record ApiRequest(
        String verb,
        String user,
        String agent,
        String resource,
        String name,
        String target,
        int code,
        Instant received,
        Instant answered) {

    static ApiRequest of(JsonNode entry) {
        JsonNode object = entry.path("objectRef");
        String subresource = object.path("subresource").asString("");
        return new ApiRequest(
                entry.get("verb").asString(),
                entry.at("/user/username").asString(""),
                entry.path("userAgent").asString(""),
                object.path("resource").asString("") + (subresource.isEmpty() ? "" : "/" + subresource),
                object.path("name").asString(""),
                entry.at("/requestObject/target/name").asString(""),
                entry.at("/responseStatus/code").asInt(0),
                Instant.parse(entry.get("requestReceivedTimestamp").asString()),
                Instant.parse(entry.get("stageTimestamp").asString()));
    }

    boolean isSuccess() {
        return code / 100 == 2;
    }

    boolean isBinding() {
        return resource.equals("pods/binding") && verb.equals("create");
    }

    boolean isCreationOfPod() {
        return resource.equals("pods") && verb.equals("create");
    }

    boolean isWrite() {
        return !verb.equals("get") && !verb.equals("list") && !verb.equals("watch");
    }
}
