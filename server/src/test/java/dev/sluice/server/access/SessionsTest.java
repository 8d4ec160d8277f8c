package dev.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Role;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SessionsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private Instant now = NOW;
    private final Sessions sessions = new Sessions(() -> now);

    private static Caller caller(String user) {
        return new Caller(user, List.of(), Role.SUBMITTER, Caller.Source.SOCKET);
    }

    @Test
    void session_endsAfterMaximumOrWithCredentials() {
        String whole = sessions.begin(caller("ada"), null);
        String shorter = sessions.begin(caller("bob").until(NOW.plusSeconds(60)), "Bearer x");
        assertThat(whole).hasSize(43).isNotEqualTo(shorter);
        assertThat(sessions.find(shorter)).isNotNull();

        now = NOW.plusSeconds(60);
        assertThat(sessions.find(shorter)).isNull();
        assertThat(Objects.requireNonNull(sessions.find(whole)).caller().user()).isEqualTo("ada");

        now = NOW.plus(Sessions.SESSION_MAX);
        assertThat(sessions.find(whole)).isNull();
        assertThat(sessions.find("guess")).isNull();
    }

    @Test
    void code_isRedeemedOnceAndSoon() {
        String code = sessions.code(caller("ada"), null);
        assertThat(sessions.find(code)).as("a code is no session").isNull();
        String session = Objects.requireNonNull(sessions.redeem(code));
        assertThat(sessions.find(session)).isNotNull();
        assertThat(sessions.redeem(code)).isNull();

        String late = sessions.code(caller("ada"), null);
        now = NOW.plus(Sessions.CODE_MAX);
        assertThat(sessions.redeem(late)).isNull();
    }

    @Test
    @Tag("slow")
    void session_beyondLimit_oldestEnds() {
        String first = sessions.begin(caller("ada"), null);
        String second = sessions.begin(caller("ada"), null);
        for (int i = 2; i <= Sessions.SESSIONS_MAX; i++) {
            sessions.begin(caller("bob"), null);
        }
        assertThat(sessions.find(first)).isNull();
        assertThat(sessions.find(second)).isNotNull();
    }

    @Test
    void formToken_isOfOneSession() {
        String token = sessions.formToken("a");
        assertThat(sessions.isFormToken("a", token)).isTrue();
        assertThat(sessions.isFormToken("b", token)).isFalse();
        assertThat(sessions.isFormToken("a", "")).isFalse();
        assertThat(new Sessions(() -> now).isFormToken("a", token))
                .as("of another server")
                .isFalse();
    }

    @Test
    void authenticator_verifiesTokenOfSessionAgain() {
        SessionAuthenticator authenticator = new SessionAuthenticator(
                credentials -> credentials.authorization() == null
                        ? Caller.UNKNOWN
                        : caller("of " + credentials.authorization()),
                sessions);
        String byToken = sessions.begin(caller("ada"), "Bearer x");
        String bySocket = sessions.begin(caller("bob"), null);

        assertThat(user(authenticator, null, byToken)).isEqualTo("of Bearer x");
        assertThat(user(authenticator, null, bySocket)).isEqualTo("bob");
        assertThat(user(authenticator, "Bearer y", bySocket))
                .as("a token comes first")
                .isEqualTo("of Bearer y");
        assertThat(user(authenticator, null, "guess")).isEmpty();
        sessions.end(bySocket);
        assertThat(user(authenticator, null, bySocket)).isEmpty();
    }

    private static String user(SessionAuthenticator authenticator, @Nullable String header, String session) {
        Credentials credentials = new Credentials("", header, null, "127.0.0.1", session);
        assertThat(authenticator.known(credentials)).isEqualTo(authenticator.authenticate(credentials));
        return authenticator.authenticate(credentials).user();
    }
}
