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
 */
public record Credentials(
        String user,
        @Nullable String authorization,
        @Nullable Peer peer,
        String address) {

    private static final int USER_LENGTH_MAX = 256;

    /** Throws a {@link ProblemException} if a header is malformed. */
    static Credentials of(HttpFields headers, @Nullable Peer peer, String address) {
        String user = headers.get(Call.ACTOR_HEADER);
        if (user == null || user.isBlank()) {
            return new Credentials("", headers.get(HttpHeader.AUTHORIZATION), peer, address);
        }
        if (user.length() > USER_LENGTH_MAX || user.chars().anyMatch(Character::isISOControl)) {
            throw ProblemException.of(
                    ProblemKind.MALFORMED,
                    Call.ACTOR_HEADER + " must have at most " + USER_LENGTH_MAX
                            + " characters and no control characters");
        }
        return new Credentials(user.strip(), headers.get(HttpHeader.AUTHORIZATION), peer, address);
    }
}
