package dev.sluice.server.route;

import org.jspecify.annotations.Nullable;

/** A request to a route. Invalid input results in a {@link ProblemException}. */
public interface Call {

    /** The header with the caller's name. */
    String ACTOR_HEADER = "Sluice-User";

    /** Returns a path parameter. */
    String path(String name);

    /** Returns a query parameter, or null if absent. */
    @Nullable String query(String name);

    /**
     * Returns a query parameter as a whole number from {@code min} to {@code max}, or {@code whenMissing} if absent.
     */
    default long number(String name, long whenMissing, long min, long max) {
        String value = query(name);
        if (value == null) {
            return whenMissing;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw ProblemException.of(ProblemKind.INVALID, name + " must be a whole number, not " + value);
        }
        throw ProblemException.of(
                ProblemKind.INVALID, name + " must be between " + min + " and " + max + ", not " + value);
    }

    /** Returns a header, or null if absent. */
    @Nullable String header(String name);

    /** Returns the request body as text. */
    String text();

    /** Returns the request body as a value of this type. */
    <T> T body(Class<T> type);

    /** Returns the media type of the body in lower case, without parameters; empty if there is no such header. */
    String mediaType();

    /** Returns the address that the request came from; empty if unknown. */
    default String address() {
        return "";
    }

    /** Returns who sent the request. */
    Caller caller();

    /**
     * Returns whether the caller's credentials are still valid, for calls that last: a token can expire or be revoked
     * meanwhile. May block.
     */
    boolean isCallerValid();

    /** Returns the route that is called. */
    Route route();

    /** Returns the caller's name; empty if unknown. */
    default String actor() {
        return caller().user();
    }

    /** Returns whether the client accepts YAML and not JSON. */
    boolean prefersYaml();
}
