package dev.sluice.server.http;

import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import org.jspecify.annotations.Nullable;

/** Finds out who sent a request. */
public interface Authenticator {

    /** Believes what requests say about their callers, who may do everything. */
    Authenticator UNVERIFIED = credentials -> Caller.unverified(credentials.user());

    /**
     * Returns the caller, {@link Caller#UNKNOWN} without credentials; may block.
     *
     * @throws ProblemException with {@link ProblemKind#UNAUTHENTICATED} if the credentials are invalid
     */
    Caller authenticate(Credentials credentials);

    /** Same as {@link #authenticate}, but never blocks: returns null if it would have to. */
    default @Nullable Caller known(Credentials credentials) {
        return authenticate(credentials);
    }

    /** Same as {@link #authenticate} for a request that was accepted before and is still being answered. */
    default Caller again(Credentials credentials) {
        Caller known = known(credentials);
        return known == null ? authenticate(credentials) : known;
    }
}
