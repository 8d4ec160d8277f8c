package dev.sluice.server.http;

import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/**
 * What a request says about its caller.
 *
 * @param user the value of {@link Call#ACTOR_HEADER}, on whose behalf the request is made; empty if absent
 * @param authorization the header {@code Authorization}, or null
 * @param peer the user at the other end of a Unix socket; null for other connections
 * @param address the address it came from; empty for a Unix socket
 * @param session the id of a session of the page, from its cookie, or null
 */
public record Credentials(
        String user,
        @Nullable String authorization,
        @Nullable Peer peer,
        String address,
        @Nullable String session) {

    /** The cookie with the id of a session of the page. */
    public static final String SESSION_COOKIE = "sluice-session";

    private static final int USER_LENGTH_MAX = 256;

    /** Creates credentials without a session. */
    public Credentials(String user, @Nullable String authorization, @Nullable Peer peer, String address) {
        this(user, authorization, peer, address, null);
    }

    /** Throws a {@link ProblemException} if a header is malformed. */
    static Credentials of(HttpFields headers, @Nullable Peer peer, String address) {
        String user = headers.get(Call.ACTOR_HEADER);
        String named = user == null || user.isBlank() ? "" : user.strip();
        if (user != null
                && !named.isEmpty()
                && (user.length() > USER_LENGTH_MAX || user.chars().anyMatch(Character::isISOControl))) {
            throw ProblemException.of(
                    ProblemKind.MALFORMED,
                    Call.ACTOR_HEADER + " must have at most " + USER_LENGTH_MAX
                            + " characters and no control characters");
        }
        return new Credentials(
                named, headers.get(HttpHeader.AUTHORIZATION), peer, address, session(headers.get(HttpHeader.COOKIE)));
    }

    /** Returns the id of a session of the page from the header {@code Cookie}, or null. */
    public static @Nullable String session(@Nullable String cookies) {
        return cookie(cookies, SESSION_COOKIE);
    }

    /** Returns the value of a cookie from the header {@code Cookie}, or null. */
    public static @Nullable String cookie(@Nullable String cookies, String name) {
        if (cookies == null) {
            return null;
        }
        for (String cookie : cookies.split(";")) {
            int equals = cookie.indexOf('=');
            if (equals > 0 && cookie.substring(0, equals).strip().equals(name)) {
                return cookie.substring(equals + 1).strip();
            }
        }
        return null;
    }
}
