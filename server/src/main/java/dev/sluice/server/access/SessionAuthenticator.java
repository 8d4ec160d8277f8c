package dev.sluice.server.access;

import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Caller;
import org.jspecify.annotations.Nullable;

/**
 * Knows callers by a session of the page. A session that began with a token verifies it with every request, so it ends
 * when the token expires or is revoked.
 */
public final class SessionAuthenticator implements Authenticator {

    private final Authenticator others;
    private final Sessions sessions;

    /** @param others knows callers without a session */
    public SessionAuthenticator(Authenticator others, Sessions sessions) {
        this.others = others;
        this.sessions = sessions;
    }

    @Override
    public Caller authenticate(Credentials credentials) {
        Sessions.Session session = session(credentials);
        return session == null
                ? others.authenticate(credentials)
                : session.authorization() == null
                        ? session.caller()
                        : others.authenticate(withToken(credentials, session.authorization()));
    }

    @Override
    public @Nullable Caller known(Credentials credentials) {
        Sessions.Session session = session(credentials);
        return session == null
                ? others.known(credentials)
                : session.authorization() == null
                        ? session.caller()
                        : others.known(withToken(credentials, session.authorization()));
    }

    private Sessions.@Nullable Session session(Credentials credentials) {
        String id = credentials.session();
        return id == null || credentials.authorization() != null ? null : sessions.find(id);
    }

    private static Credentials withToken(Credentials credentials, String authorization) {
        return new Credentials(credentials.user(), authorization, credentials.peer(), credentials.address());
    }
}
