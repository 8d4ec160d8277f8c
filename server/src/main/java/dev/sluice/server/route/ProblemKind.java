package dev.sluice.server.route;

/** The kinds of problems that routes answer with. */
public enum ProblemKind {
    /** What was sent cannot be read. */
    MALFORMED("malformed", 400, "It cannot be read"),
    /** There is no such thing. */
    NOT_FOUND("not-found", 404, "There is no such thing"),
    /** The path is known, but not with this method. */
    METHOD_NOT_ALLOWED("method-not-allowed", 405, "Not with this method"),
    /** It cannot be in the present state. */
    CONFLICT("conflict", 409, "It cannot be now"),
    /** Something of that name is there already. */
    DUPLICATE("duplicate", 409, "It is there already"),
    /** The request names itself like another one that was different. */
    KEY_REUSED("key-reused", 409, "This key was used for another request"),
    /** It is over. */
    STALE("stale", 409, "It is over"),
    /** What was sent is too large. */
    TOO_LARGE("too-large", 413, "It is too large"),
    /** It is of a media type that the route does not take. */
    MEDIA_TYPE("media-type", 415, "Not of this media type"),
    /** The request expects something of the server that it does not know. */
    EXPECTATION("expectation", 417, "Unknown expectation"),
    /** What was sent can be read and makes no sense. */
    INVALID("invalid", 422, "It makes no sense"),
    /** It would exceed a limit. */
    TOO_MUCH("too-much", 422, "It is too much"),
    /** A page from elsewhere asked. */
    CROSS_SITE("cross-site", 403, "Not from another site"),
    /** More comes in than can be done. */
    BUSY("busy", 429, "Too many requests"),
    /** A bug. */
    INTERNAL("internal", 500, "A bug in the server"),
    /** Not at the moment. */
    UNAVAILABLE("unavailable", 503, "Not at the moment");

    private final String wireName;
    private final int status;
    private final String title;

    ProblemKind(String wireName, int status, String title) {
        this.wireName = wireName;
        this.status = status;
        this.title = title;
    }

    /** The word that ends the type. */
    public String wireName() {
        return wireName;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The kind in words. */
    public String title() {
        return title;
    }

    /** The type. */
    public String type() {
        return Problem.TYPE_PREFIX + wireName;
    }
}
