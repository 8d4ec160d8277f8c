package dev.sluice.kubernetes.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.net.HttpURLConnection;
import java.time.Duration;

/**
 * The answer to a request.
 *
 * @param code the HTTP status code; 0 if there is no answer, so the request may have had its effect or not
 * @param body the object or status that was answered; missing if it is none
 * @param failure why there is no answer; empty if there is one
 */
public record ApiAnswer(int code, JsonNode body, String failure) {

    private static final int TOO_MANY_REQUESTS = 429;

    static ApiAnswer none(String failure) {
        return new ApiAnswer(0, MissingNode.getInstance(), failure);
    }

    /** Returns whether the request had its effect. */
    public boolean isSuccess() {
        return code >= HttpURLConnection.HTTP_OK && code < HttpURLConnection.HTTP_MULT_CHOICE;
    }

    /** Returns whether the object does not exist. */
    public boolean isNotFound() {
        return code == HttpURLConnection.HTTP_NOT_FOUND;
    }

    /** Returns whether the object is not as the request requires it, or was changed at the same time. */
    public boolean isConflict() {
        return code == HttpURLConnection.HTTP_CONFLICT;
    }

    /** Returns whether the server asks to repeat the request later. */
    public boolean isTooManyRequests() {
        return code == TOO_MANY_REQUESTS;
    }

    /** Returns whether the same request may succeed later: it was refused for now, or its outcome is unknown. */
    public boolean isTransient() {
        return code == 0 || isTooManyRequests() || code >= HttpURLConnection.HTTP_INTERNAL_ERROR;
    }

    /** Returns the delay for which the server asks, or zero. */
    public Duration retryAfter() {
        return Duration.ofSeconds(
                Math.max(0, body.at("/details/retryAfterSeconds").asLong()));
    }

    /** Returns why the request failed. */
    public String reason() {
        return code == 0
                ? "no answer from the API server: " + failure
                : "the API server answered " + code + ": "
                        + body.path("message").asText("without a reason");
    }
}
