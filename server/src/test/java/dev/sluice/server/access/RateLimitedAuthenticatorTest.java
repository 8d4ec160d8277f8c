package dev.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.http.Peer;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RateLimitedAuthenticatorTest {

    private static final String HERE = "10.0.0.1";
    private static final int BURST = 2 * RateLimit.BURST_SECONDS;

    private final List<String> refusals = new ArrayList<>();
    private Caller.Source source = Caller.Source.TOKEN;
    private Role role = Role.VIEWER;
    private int checked;
    private long nanos;

    /** Knows tokens that start with {@code ok-}, whose users are what follows. */
    private final Authenticator tokens = credentials -> {
        String header = credentials.authorization();
        if (header == null) {
            return source == Caller.Source.UNVERIFIED ? Caller.unverified(credentials.user()) : Caller.UNKNOWN;
        }
        checked++;
        if (!header.startsWith("ok-")) {
            throw ProblemException.of(ProblemKind.UNAUTHENTICATED, "unknown");
        }
        return new Caller(header.substring(3), List.of(), role, source);
    };

    private RateLimitedAuthenticator limited(@Nullable RateLimit limit) {
        return new RateLimitedAuthenticator(
                tokens,
                limit,
                new RateLimitedAuthenticator.Refusals() {
                    @Override
                    public void tooManyRequests() {
                        refusals.add("requests");
                    }

                    @Override
                    public void tooManyFailures() {
                        refusals.add("failures");
                    }
                },
                () -> nanos);
    }

    private static @Nullable ProblemException ask(
            RateLimitedAuthenticator authenticator, String user, @Nullable String header, String address) {
        try {
            assertThat(authenticator.known(new Credentials(user, header, null, address)))
                    .isNotNull();
            return null;
        } catch (ProblemException e) {
            return e;
        }
    }

    private static int served(
            RateLimitedAuthenticator authenticator, String user, @Nullable String header, String address) {
        int count = 0;
        while (count <= BURST && ask(authenticator, user, header, address) == null) {
            count++;
        }
        return count;
    }

    @Test
    void requestBeingAnswered_checkedAgain_doesNotCount() {
        RateLimitedAuthenticator authenticator = limited(new RateLimit(2, false));
        Credentials credentials = new Credentials("", "ok-ada", null, HERE);
        for (int i = 0; i < 10 * BURST; i++) {
            assertThat(authenticator.again(credentials).user()).isEqualTo("ada");
        }
        assertThat(served(authenticator, "", "ok-ada", HERE)).isEqualTo(BURST);
    }

    @Test
    void user_beyondRate_isToldWhenToRetry() {
        RateLimitedAuthenticator authenticator = limited(new RateLimit(2, false));
        assertThat(served(authenticator, "", "ok-ada", HERE)).isEqualTo(BURST);

        assertThatThrownBy(() -> authenticator.authenticate(new Credentials("", "ok-ada", null, "10.0.0.2")))
                .as("another address does not help")
                .isInstanceOfSatisfying(ProblemException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ProblemKind.BUSY);
                    assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(1));
                    assertThat(e).hasMessage("more than 2 requests per second from user ada");
                });
        assertThat(ask(authenticator, "", "ok-bob", HERE)).isNull();
        assertThat(refusals).containsExactly("requests", "requests");
        nanos += Duration.ofMillis(500).toNanos();
        assertThat(ask(authenticator, "", "ok-ada", HERE)).isNull();
    }

    @Test
    void callersWithoutCredentials_areLimitedByAddress() {
        RateLimitedAuthenticator authenticator = limited(new RateLimit(2, false));
        assertThat(served(authenticator, "one", null, HERE)).isEqualTo(BURST);
        assertThat(served(authenticator, "two", null, HERE)).as("another name").isZero();
        assertThat(ask(authenticator, "", null, "10.0.0.2")).isNull();
    }

    @Test
    void unverifiedCallers_areLimitedByAddressOnlyIfEverybodyIs() {
        source = Caller.Source.UNVERIFIED;
        assertThat(served(limited(new RateLimit(2, false)), "ada", null, HERE)).isGreaterThan(BURST);
        RateLimitedAuthenticator strict = limited(new RateLimit(2, true));
        assertThat(served(strict, "ada", null, HERE)).isEqualTo(BURST);
        assertThat(served(strict, "bob", null, HERE)).isZero();
    }

    @Test
    void usersOfSocket_areLimitedUnlessPrivileged() {
        source = Caller.Source.SOCKET;
        assertThat(served(limited(new RateLimit(2, false)), "", "ok-ada", "")).isEqualTo(BURST);
        role = Role.ADMIN;
        assertThat(served(limited(new RateLimit(2, false)), "", "ok-root", "")).isGreaterThan(BURST);
    }

    @Test
    void invalidTokensOverSocket_countForTheUserAtItsOtherEnd() {
        RateLimitedAuthenticator authenticator = limited(RateLimit.DEFAULT);
        Peer ada = new Peer(() -> "ada", "sluice");
        Peer bob = new Peer(() -> "bob", "sluice");
        assertThat(authenticator.known(new Credentials("", "guess", ada, ""))).isNull();
        for (int i = 0; i < RateLimitedAuthenticator.FAILURES_MAX; i++) {
            Credentials guess = new Credentials("", "guess " + i, ada, "");
            assertThatThrownBy(() -> authenticator.authenticate(guess)).hasMessage("unknown");
        }

        assertThatThrownBy(() -> authenticator.authenticate(new Credentials("", "ok-ada", ada, "")))
                .hasMessageContaining("too many invalid tokens from socket of user ada");
        assertThat(authenticator
                        .authenticate(new Credentials("", "ok-bob", bob, ""))
                        .user())
                .isEqualTo("bob");
    }

    @Test
    void limit_none_servesEverything() {
        assertThat(served(limited(null), "", "ok-ada", HERE)).isGreaterThan(BURST);
    }

    @Test
    void invalidTokens_beyondLimit_areRefusedUnchecked() {
        RateLimitedAuthenticator authenticator = limited(RateLimit.DEFAULT);
        assertThat(ask(authenticator, "", "ok-ada", HERE)).isNull();
        for (int i = 0; i < RateLimitedAuthenticator.FAILURES_MAX; i++) {
            assertThat(ask(authenticator, "", "guess " + i, HERE))
                    .extracting(ProblemException::kind)
                    .isEqualTo(ProblemKind.UNAUTHENTICATED);
        }

        checked = 0;
        for (String unseen : List.of("another guess", "ok-bob")) {
            assertThat(ask(authenticator, "", unseen, HERE))
                    .extracting(ProblemException::kind)
                    .isEqualTo(ProblemKind.BUSY);
        }
        assertThat(checked).isZero();
        assertThat(refusals).containsExactly("failures", "failures");
        assertThat(ask(authenticator, "", "ok-ada", HERE)).as("valid before").isNull();
        assertThat(ask(authenticator, "", null, HERE)).as("no credentials").isNull();
        assertThat(ask(authenticator, "", "ok-bob", "10.0.0.2")).isNull();
        nanos += Duration.ofSeconds(5).toNanos();
        assertThat(ask(authenticator, "", "ok-bob", HERE)).as("later").isNull();
    }

    @Test
    void addressesOfOneNetwork_countAsOne() {
        assertThat(RateLimitedAuthenticator.network("2001:db8:1:2:3:4:5:6"))
                .isEqualTo(RateLimitedAuthenticator.network("[2001:db8:1:2::1]"))
                .isNotEqualTo(RateLimitedAuthenticator.network("2001:db8:1:3::1"));
        assertThat(RateLimitedAuthenticator.network("10.0.0.1")).isEqualTo("10.0.0.1");
        assertThat(RateLimitedAuthenticator.network("no:address")).isEqualTo("no:address");
    }
}
