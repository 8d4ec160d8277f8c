package dev.sluice.server.route;

/** The body of a response that says what a request did, beyond its path. */
public interface Audited {

    /** Returns the detail for the audit log. */
    String auditDetail();

    /** Returns whether the request changed something. */
    default boolean hasChanged() {
        return true;
    }
}
