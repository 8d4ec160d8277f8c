package dev.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.runtime.journal.StoreException;
import dev.sluice.runtime.testing.MemoryStore;
import dev.sluice.server.access.AccessTokens.CreatedToken;
import dev.sluice.server.access.AccessTokens.TooManyTokensException;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class BearerAuthenticatorTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final MemoryStore store = new MemoryStore();
    private Instant now = START;
    private AccessTokens tokens;
    private BearerAuthenticator authenticator;

    @BeforeEach
    void load() throws StoreException {
        tokens = AccessTokens.load(store.accessTokens(), () -> now);
        authenticator = new BearerAuthenticator(tokens, null, false);
    }

    private CreatedToken create(String user) throws Exception {
        return tokens.create(user, Role.SUBMITTER, "laptop", START.plusSeconds(60));
    }

    private Caller caller(@Nullable String header, String user) {
        Credentials credentials = new Credentials(user, header, null, "127.0.0.1");
        Caller caller = authenticator.authenticate(credentials);
        assertThat(authenticator.known(credentials)).isEqualTo(caller);
        return caller;
    }

    private void assertRefused(ProblemKind kind, String header, String user) {
        for (boolean prompt : new boolean[] {true, false}) {
            Credentials credentials = new Credentials(user, header, null, "127.0.0.1");
            assertThatThrownBy(() -> {
                        Object unused =
                                prompt ? authenticator.known(credentials) : authenticator.authenticate(credentials);
                    })
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            e -> assertThat(e.kind()).as(header).isEqualTo(kind));
        }
    }

    @Test
    void token_valid_isItsUser() throws Exception {
        String secret = create("ada").secret();
        Caller ada = new Caller("ada", List.of(), Role.SUBMITTER, Caller.Source.TOKEN).until(START.plusSeconds(60));

        assertThat(caller("Bearer " + secret, "")).isEqualTo(ada);
        assertThat(caller("bearer  " + secret + " ", "ada")).isEqualTo(ada);
    }

    @Test
    void token_afterRestart_isValid() throws Exception {
        String secret = create("ada").secret();
        load();

        assertThat(caller("Bearer " + secret, "").user()).isEqualTo("ada");
    }

    @Test
    void token_expiredOrRevoked_isRefusedAtOnce() throws Exception {
        CreatedToken revoked = create("ada");
        CreatedToken expired = create("bob");
        tokens.revoke(revoked.token());
        assertRefused(ProblemKind.UNAUTHENTICATED, "Bearer " + revoked.secret(), "");

        now = START.plusSeconds(59);
        assertThat(caller("Bearer " + expired.secret(), "").user()).isEqualTo("bob");
        now = START.plusSeconds(60);
        assertRefused(ProblemKind.UNAUTHENTICATED, "Bearer " + expired.secret(), "");
        assertThat(tokens.all()).isEmpty();
        load();
        assertRefused(ProblemKind.UNAUTHENTICATED, "Bearer " + revoked.secret(), "");
    }

    @Test
    void token_unknownOrMalformed_isRefused() throws Exception {
        String secret = create("ada").secret();
        for (String header : List.of(
                "Bearer slc_",
                "Bearer " + secret + "x",
                "Bearer " + secret.substring(4),
                "Bearer",
                "Basic YTpi",
                secret,
                "Bearer " + tokens.all().get(0).digest())) {
            assertRefused(ProblemKind.UNAUTHENTICATED, header, "");
        }
    }

    @Test
    void request_withoutToken_isUnknownUnlessInsecure() throws Exception {
        assertThat(caller(null, "ada")).isEqualTo(Caller.UNKNOWN);

        String secret = create("ada").secret();
        authenticator = new BearerAuthenticator(tokens, null, true);
        assertThat(caller(null, "bob")).isEqualTo(Caller.unverified("bob"));
        assertThat(caller("Basic YTpi", "bob")).isEqualTo(Caller.unverified("bob"));
        assertThat(caller("Bearer other", "bob")).isEqualTo(Caller.unverified("bob"));
        assertThat(caller("Bearer " + secret, "").role()).isEqualTo(Role.SUBMITTER);
        assertRefused(ProblemKind.UNAUTHENTICATED, "Bearer slc_wrong", "bob");
    }

    @Test
    void secret_ofToken_isNotStoredOrPrinted() throws Exception {
        CreatedToken created = create("ada");

        assertThat(created.secret()).matches("slc_[A-Za-z0-9_-]{43}");
        assertThat(created.toString() + tokens.all() + store.accessTokens().all())
                .contains(created.token().id())
                .doesNotContain(created.secret().substring(4));
        assertThat(create("ada").secret()).isNotEqualTo(created.secret());
    }

    @Test
    void tokens_ofOneUser_areLimitedUntilTheyExpire() throws Exception {
        for (int i = 0; i < AccessTokens.TOKENS_PER_USER_MAX; i++) {
            create("ada");
        }
        assertThatThrownBy(() -> create("ada"))
                .isInstanceOf(TooManyTokensException.class)
                .hasMessage("user ada has 1000 tokens, the maximum: revoke some");
        create("bob");

        now = START.plusSeconds(60);
        tokens.create("ada", Role.VIEWER, "", now.plusSeconds(1));
        assertThat(store.accessTokens().all()).hasSize(1);
    }
}
