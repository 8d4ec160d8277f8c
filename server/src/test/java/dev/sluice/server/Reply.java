package dev.sluice.server;

import dev.sluice.server.http.Json;
import java.net.http.HttpHeaders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the server answered. */
record Reply(int status, HttpHeaders headers, String text) {

    private static final JsonMapper JSON = Json.mapper();

    /** The media type, without parameters; empty if there is none. */
    String type() {
        return header("Content-Type");
    }

    String header(String name) {
        return headers.firstValue(name).orElse("");
    }

    JsonNode json() {
        return JSON.readTree(text);
    }

    /** What is at this pointer, as text. */
    String at(String pointer) {
        return json().at(pointer).asString("");
    }

    /** The word of the kind of problem, or nothing. */
    String problem() {
        return status < 400 ? "" : at("/type").replace("urn:sluice:problem:", "");
    }
}
