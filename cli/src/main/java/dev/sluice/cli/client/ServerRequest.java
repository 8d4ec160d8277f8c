package dev.sluice.cli.client;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a server.
 *
 * @param method such as GET
 * @param mediaType what the body is, or null if there is none
 * @param body what is sent, or null
 * @param accept what is wanted back
 * @param key names the request, so that it is done once however often it is sent; or null
 * @param repeat when it may be sent again
 */
public record ServerRequest(
        String method,
        ApiPath path,
        @Nullable String mediaType,
        @Nullable String body,
        String accept,
        @Nullable String key,
        Repeat repeat) {

    /** The media type of JSON. */
    public static final String JSON = "application/json";

    /** The media type of YAML. */
    public static final String YAML = "application/yaml";

    /** When a request may be sent again. */
    public enum Repeat {
        /** Whenever it is not known that it was done: to do it twice is the same as once. */
        FREELY,
        /** Only when it is known that it was not done. */
        WHEN_REFUSED
    }

    /** Asks for something. */
    public static ServerRequest get(ApiPath path) {
        return new ServerRequest("GET", path, null, null, JSON, null, Repeat.FREELY);
    }

    /** Sets something. */
    public static ServerRequest put(ApiPath path, String mediaType, String body) {
        return new ServerRequest("PUT", path, mediaType, body, JSON, null, Repeat.FREELY);
    }

    /** Does something, or lets something be looked at, as the body says. */
    public static ServerRequest post(ApiPath path, String mediaType, String body) {
        return new ServerRequest("POST", path, mediaType, body, JSON, null, Repeat.WHEN_REFUSED);
    }

    /** The same with a name of its own, so that it may be sent again. */
    public ServerRequest once() {
        return new ServerRequest(
                method, path, mediaType, body, accept, UUID.randomUUID().toString(), Repeat.FREELY);
    }

    /** The same, which changes nothing or nothing more when it is done again. */
    public ServerRequest repeatable() {
        return new ServerRequest(method, path, mediaType, body, accept, key, Repeat.FREELY);
    }

    /** The same with another media type wanted back. */
    public ServerRequest accepting(String type) {
        return new ServerRequest(method, path, mediaType, body, type, key, repeat);
    }
}
