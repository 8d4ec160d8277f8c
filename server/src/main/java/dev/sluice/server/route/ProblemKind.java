package dev.sluice.server.route;

/** The problem types that routes answer with. */
public enum ProblemKind {
    MALFORMED(
            "malformed",
            400,
            "Malformed request",
            "The request cannot be parsed: its path, query, headers or body.",
            "Fix the syntax; `locations` has the line and column if known."),
    UNAUTHENTICATED(
            "unauthenticated",
            401,
            "Unauthenticated",
            "The server does not know who sends the request.",
            "Send the header `Authorization: Bearer TOKEN` with a valid token, or use the socket of the server."),
    FORBIDDEN(
            "forbidden",
            403,
            "Forbidden",
            "The caller may not do this; `detail` names the rule.",
            "Ask somebody whom the rule permits."),
    NOT_FOUND(
            "not-found",
            404,
            "Not found",
            "The path, or the resource it names, does not exist.",
            "Check the path and the names in it."),
    METHOD_NOT_ALLOWED(
            "method-not-allowed",
            405,
            "Method not allowed",
            "The path exists, but not with this method.",
            "Use a method of the `Allow` header."),
    CONFLICT(
            "conflict",
            409,
            "Conflict with the current state",
            "The current state of the resource does not allow the operation.",
            "Read the resource, then decide."),
    DUPLICATE(
            "duplicate",
            409,
            "Already exists",
            "A resource with this name or id already exists.",
            "Use another name, or update the existing resource."),
    KEY_REUSED(
            "key-reused",
            409,
            "Idempotency key reused",
            "The `Idempotency-Key` was used before for a different request.",
            "Use a new key for each request; repeat a key only with an identical request."),
    STALE(
            "stale",
            409,
            "Stale report",
            "The report is about a task run that has ended.",
            "Ignore it; the report has no effect."),
    TOO_LARGE(
            "too-large",
            413,
            "Request body too large",
            "The request body exceeds the server's limit.",
            "Split the request."),
    MEDIA_TYPE(
            "media-type",
            415,
            "Unsupported media type",
            "The route does not accept this `Content-Type`.",
            "Send `application/json` or, where documented, `application/yaml`."),
    EXPECTATION(
            "expectation",
            417,
            "Expectation failed",
            "The request has an `Expect` header other than `100-continue`.",
            "Remove the header."),
    INVALID(
            "invalid",
            422,
            "Invalid request",
            "The request is well-formed, but a value in it is invalid.",
            "Correct the value named in `detail` or `locations`."),
    TOO_MUCH(
            "too-much",
            422,
            "Limit exceeded",
            "The request would exceed a limit, such as the number of tasks or the length of a name.",
            "Request less, or raise the limit."),
    CROSS_SITE(
            "cross-site",
            403,
            "Cross-site request refused",
            "A page of another origin sent the request, or the `Host` header does not name this server.",
            "Call the server directly, as `127.0.0.1` or `localhost`."),
    BUSY(
            "busy",
            429,
            "Too many requests",
            "The caller sends more requests than the server's rate limit permits, or the server is overloaded or has no"
                    + " memory or disk space for more work.",
            "Retry after `Retry-After` seconds; if it persists, see `/api/v1/health`."),
    INTERNAL(
            "internal",
            500,
            "Internal error",
            "The server has a bug.",
            "Report it with the stack trace in the server's log."),
    UNAVAILABLE(
            "unavailable",
            503,
            "Temporarily unavailable",
            "The journal cannot be read or written, the scheduler did not answer in time, or the server is shutting"
                    + " down.",
            "Retry after `Retry-After` seconds, with the same `Idempotency-Key` if the request had one.");

    private final String wireName;
    private final int status;
    private final String title;
    private final String meaning;
    private final String remedy;

    ProblemKind(String wireName, int status, String title, String meaning, String remedy) {
        this.wireName = wireName;
        this.status = status;
        this.title = title;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** The last part of {@link #type}. */
    public String wireName() {
        return wireName;
    }

    /** The HTTP status code. */
    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** What the problem type means, as a sentence of Markdown. */
    public String meaning() {
        return meaning;
    }

    /** What the client can do about it, as a sentence of Markdown. */
    public String remedy() {
        return remedy;
    }

    /** The problem type as a URN. */
    public String type() {
        return ProblemDetails.TYPE_PREFIX + wireName;
    }
}
