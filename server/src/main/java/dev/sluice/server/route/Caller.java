package dev.sluice.server.route;

import java.util.List;

/**
 * Who sent a request, and what they may do.
 *
 * @param user the user in whose name the request is executed; empty if unknown
 * @param groups the user's groups, in the order of the source that knows them
 * @param role the most that the caller may do
 * @param source how the server knows
 */
public record Caller(String user, List<String> groups, Role role, Source source) {

    /** How the server knows who a caller is. */
    public enum Source {
        /** It does not: the request has no credentials. */
        NONE,
        /** The request says so, and nothing verifies it. */
        UNVERIFIED,
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

    /** Returns a caller who says who it is and may do everything. */
    public static Caller unverified(String user) {
        return new Caller(user, List.of(), Role.ADMIN, Source.UNVERIFIED);
    }
}
