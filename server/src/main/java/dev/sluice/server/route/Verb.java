package dev.sluice.server.route;

/** The HTTP methods of routes. */
public enum Verb {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** Returns whether the method is safe (RFC 9110): it changes nothing. */
    public boolean isSafe() {
        return this == GET;
    }
}
