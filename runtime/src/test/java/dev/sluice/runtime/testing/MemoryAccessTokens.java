package dev.sluice.runtime.testing;

import dev.sluice.runtime.journal.AccessToken;
import dev.sluice.runtime.journal.AccessTokenStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The access tokens, which no failure affects. */
final class MemoryAccessTokens implements AccessTokenStore {

    private final List<AccessToken> tokens = new ArrayList<>();

    @Override
    public synchronized void add(AccessToken token) {
        tokens.add(token);
    }

    @Override
    public synchronized void remove(String id) {
        tokens.removeIf(token -> token.id().equals(id));
    }

    @Override
    public synchronized void removeExpired(Instant now) {
        tokens.removeIf(token -> !token.expires().isAfter(now));
    }

    @Override
    public synchronized List<AccessToken> all() {
        return List.copyOf(tokens);
    }
}
