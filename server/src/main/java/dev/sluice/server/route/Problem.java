package dev.sluice.server.route;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/**
 * What is wrong, as RFC 9457 has it.
 *
 * @param type names the kind of problem; {@code urn:sluice:problem:} and a word
 * @param title the kind of problem in words
 * @param status the HTTP status
 * @param detail what is wrong this time and what would help
 * @param locations where in what was sent; null if that is not known
 */
public record Problem(
        @JsonPropertyDescription("Problem type: urn:sluice:problem: and a name.")
        String type,

        @JsonPropertyDescription("Title of the problem type.")
        String title,

        @JsonPropertyDescription("HTTP status code.") int status,

        @JsonPropertyDescription("What is wrong in this case, and how to fix it.")
        String detail,

        @JsonPropertyDescription("Locations in the request body, if known.") @OptionalField
        List<Location> locations) {

    /** How the types of problems begin. */
    public static final String TYPE_PREFIX = "urn:sluice:problem:";

    /**
     * A place in what was sent.
     *
     * @param line from 1; 0 if it is about all of it
     * @param column from 1, in characters; 0 if it is about all of it
     * @param path where in the document; empty at the top
     * @param message what is wrong there
     */
    public record Location(int line, int column, String path, String message) {}

    /** Copies the places. */
    public Problem {
        locations = locations == null ? null : List.copyOf(locations);
    }
}
