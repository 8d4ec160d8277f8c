package dev.sluice.cli.client;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request to the REST API.
 *
 * @param mediaType type of the body, or null
 * @param body the body, or null
 * @param accept accepted media type of the response
 * @param key idempotency key, or null
 * @param headers further headers
 * @param repeat when a retry is safe
 */
public record ServerRequest(
        String method,
        ApiPath path,
        @Nullable String mediaType,
        @Nullable String body,
        String accept,
        @Nullable String key,
        Map<String, String> headers,
        Repeat repeat) {

    public static final String JSON = "application/json";

    public static final String YAML = "application/yaml";

    /** When a request may be sent again. */
    public enum Repeat {
        /** Always: the request is idempotent. */
        FREELY,
        /** Only after the server has refused it. */
        WHEN_REFUSED
    }

    public static ServerRequest get(ApiPath path) {
        return new ServerRequest("GET", path, null, null, JSON, null, Map.of(), Repeat.FREELY);
    }

    public static ServerRequest delete(ApiPath path) {
        return new ServerRequest("DELETE", path, null, null, JSON, null, Map.of(), Repeat.WHEN_REFUSED);
    }

    public static ServerRequest put(ApiPath path, String mediaType, String body) {
        return new ServerRequest("PUT", path, mediaType, body, JSON, null, Map.of(), Repeat.FREELY);
    }

    public static ServerRequest patch(ApiPath path, String mediaType, String body) {
        return new ServerRequest("PATCH", path, mediaType, body, JSON, null, Map.of(), Repeat.FREELY);
    }

    public static ServerRequest post(ApiPath path, String mediaType, String body) {
        return new ServerRequest("POST", path, mediaType, body, JSON, null, Map.of(), Repeat.WHEN_REFUSED);
    }

    /** Returns this request with an idempotency key, so that retries are safe. */
    public ServerRequest once() {
        return new ServerRequest(
                method, path, mediaType, body, accept, UUID.randomUUID().toString(), headers, Repeat.FREELY);
    }

    /** Returns this request marked as idempotent. */
    public ServerRequest repeatable() {
        return new ServerRequest(method, path, mediaType, body, accept, key, headers, Repeat.FREELY);
    }

    /** Returns this request with another accepted media type. */
    public ServerRequest accepting(String type) {
        return new ServerRequest(method, path, mediaType, body, type, key, headers, repeat);
    }

    /** Returns this request with another header. */
    public ServerRequest withHeader(String name, String value) {
        Map<String, String> newHeaders = new TreeMap<>(headers);
        newHeaders.put(name, value);
        return new ServerRequest(method, path, mediaType, body, accept, key, newHeaders, repeat);
    }

    /** Copies the headers. */
    public ServerRequest {
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
    }
}
