package dev.sluice.server.route;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request, and what they may do.
 *
 * @param user the user in whose name the request is executed; empty if unknown
 * @param groups the user's groups, in the order of the source that knows them
 * @param role the most that the caller may do
 * @param source how the server knows
 * @param proxy the trusted user who says that this user is the caller; empty if nobody speaks for the caller
 * @param expires when the credentials expire; null if they do not, or are looked up again each time
 */
public record Caller(
        String user,
        List<String> groups,
        Role role,
        Source source,
        String proxy,
        @Nullable Instant expires) {

    /** How the server knows who a caller is. */
    public enum Source {
        /** It does not: the request has no credentials. */
        NONE,
        /** The request says so, and nothing verifies it. */
        UNVERIFIED,
        /** By the kernel: the request came over the Unix socket. */
        SOCKET,
        /** By an access token of this server. */
        TOKEN,
        /** By a token of an OpenID Connect issuer. */
        OIDC
    }

    /** A caller without credentials. */
    public static final Caller UNKNOWN = new Caller("", List.of(), Role.ANYONE, Source.NONE);

    /** Copies the groups. */
    public Caller {
        groups = List.copyOf(groups);
    }

    /** Creates a caller for whom nobody else speaks. */
    public Caller(String user, List<String> groups, Role role, Source source) {
        this(user, groups, role, source, "", null);
    }

    /** Returns the same caller with credentials that expire then. */
    public Caller until(Instant end) {
        return new Caller(user, groups, role, source, proxy, end);
    }

    /** Returns the same caller as a member of these groups. */
    public Caller in(List<String> newGroups) {
        return new Caller(user, newGroups, role, source, proxy, expires);
    }

    /** Returns whether the server knows who the caller is. */
    public boolean isVerified() {
        return source != Source.NONE && source != Source.UNVERIFIED;
    }

    /** Returns a caller who says who it is and may do everything. */
    public static Caller unverified(String user) {
        return new Caller(user, List.of(), Role.ADMIN, Source.UNVERIFIED);
    }
}
