package dev.sluice.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP response.
 *
 * @param headers the first value of each header, by its name in lower case
 * @param body the body, which ends the connection when it is closed
 */
record HttpReply(int status, Map<String, String> headers, InputStream body) {

    /** Returns the media type in lower case, without parameters; empty if unknown. */
    String type() {
        String type = headers.getOrDefault("content-type", "");
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip();
    }

    /** Returns the delay after which the server asks to retry, or null. */
    @Nullable Duration retryAfter() {
        String seconds = headers.getOrDefault("retry-after", "");
        return seconds.matches("[0-9]{1,6}") ? Duration.ofSeconds(Long.parseLong(seconds)) : null;
    }

    /** Reads the body as text. */
    String text() throws IOException {
        return new String(body.readAllBytes(), UTF_8);
    }
}
