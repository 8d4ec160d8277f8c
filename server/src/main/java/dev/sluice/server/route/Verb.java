package dev.sluice.server.route;

/** The methods of HTTP that routes use. */
public enum Verb {
    /** Reads. */
    GET,
    /** Does something. */
    POST,
    /** Sets something to what is sent. */
    PUT,
    /** Takes something away. */
    DELETE;

    /** Whether it changes nothing. */
    public boolean isSafe() {
        return this == GET;
    }
}
