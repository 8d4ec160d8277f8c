package dev.sluice.server;

import dev.sluice.server.http.Json;
import java.net.http.HttpHeaders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A response of the server. */
record Reply(int status, HttpHeaders headers, String text) {

    private static final JsonMapper JSON = Json.mapper();

    /** Returns the media type without parameters; empty if absent. */
    String type() {
        return header("Content-Type");
    }

    String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    JsonNode json() {
        return JSON.readTree(text);
    }

    /** Returns the value at a JSON pointer as text. */
    String at(String pointer) {
        return json().at(pointer).asString("");
    }

    /** Returns the name of the problem type; empty for success. */
    String problem() {
        return status < 400 ? "" : at("/type").replace("urn:sluice:problem:", "");
    }
}
