package dev.sluice.runtime.journal;

import java.time.Instant;
import java.util.List;

/** The access tokens of a server. Thread-safe. */
public interface AccessTokenStore {

    /** Adds a token. */
    void add(AccessToken token) throws StoreException;

    /** Removes the token with this id; does nothing if there is none. */
    void remove(String id) throws StoreException;

    /** Removes the tokens that have expired at an instant. */
    void removeExpired(Instant now) throws StoreException;

    /** Returns all tokens, oldest first. */
    List<AccessToken> all() throws StoreException;
}
