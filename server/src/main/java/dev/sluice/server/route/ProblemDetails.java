package dev.sluice.server.route;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/**
 * A problem document as defined by RFC 9457.
 *
 * @param type the problem type: {@link #TYPE_PREFIX} and a name
 * @param title the title of the problem type
 * @param status the HTTP status code
 * @param detail what is wrong in this case, and how to fix it
 * @param locations locations in the request body; null if unknown
 */
public record ProblemDetails(
        @JsonPropertyDescription("Problem type: urn:sluice:problem: and a name.")
        String type,

        @JsonPropertyDescription("Title of the problem type.")
        String title,

        @JsonPropertyDescription("HTTP status code.") int status,

        @JsonPropertyDescription("What is wrong in this case, and how to fix it.")
        String detail,

        @JsonPropertyDescription("Locations in the request body, if known.") @OptionalField
        List<Location> locations) {

    /** The prefix of problem types. */
    public static final String TYPE_PREFIX = "urn:sluice:problem:";

    /**
     * A location in the request body.
     *
     * @param line from 1; 0 if the problem concerns the whole body
     * @param column from 1, in characters; 0 if the problem concerns the whole body
     * @param path the path in the document; empty at the top
     * @param message what is wrong there
     */
    public record Location(int line, int column, String path, String message) {}

    public ProblemDetails {
        locations = locations == null ? null : List.copyOf(locations);
    }
}
