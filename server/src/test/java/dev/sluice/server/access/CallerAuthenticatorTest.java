package dev.sluice.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.http.Peer;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.Caller.Source;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CallerAuthenticatorTest {

    /** The token is the name of its user, who is an operator. */
    private static final Authenticator TOKENS = credentials -> {
        String token = BearerAuthenticator.token(credentials.authorization());
        return token == null ? Caller.UNKNOWN : new Caller(token, List.of(), Role.OPERATOR, Source.TOKEN);
    };

    @TempDir
    Path folder;

    private CallerAuthenticator callers = new CallerAuthenticator(TOKENS, Set.of());

    @BeforeEach
    void prepare() throws Exception {
        callers = callers(TOKENS, "printf '%s\\0team' \"$3\"");
    }

    private CallerAuthenticator callers(Authenticator tokens, String command) throws Exception {
        Path program = Files.writeString(folder.resolve("id"), "#!/bin/sh\n" + command + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new CallerAuthenticator(
                tokens, Set.of("portal"), new SystemGroups(program.toString(), SystemGroups.TIMEOUT, System::nanoTime));
    }

    private static Peer peer(String user) {
        return new Peer(() -> user, "sluice");
    }

    private Caller caller(String named, @Nullable String token, @Nullable Peer peer) {
        Credentials credentials = new Credentials(named, token == null ? null : "Bearer " + token, peer, "");
        Caller caller = callers.authenticate(credentials);
        assertThat(callers.known(credentials)).isEqualTo(caller);
        return caller;
    }

    private void assertRefused(ProblemKind kind, Credentials credentials) {
        assertThatThrownBy(() -> callers.authenticate(credentials))
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    @Test
    void caller_overSocket_isItsUser() {
        Peer ada = peer("ada");
        assertThat(callers.known(new Credentials("", null, ada, ""))).isNull();

        assertThat(caller("", null, ada))
                .isEqualTo(new Caller("ada", List.of("ada", "team"), Role.SUBMITTER, Source.SOCKET));
        assertThat(caller("ada", null, ada).user()).isEqualTo("ada");
        for (String privileged : List.of("sluice", "root")) {
            assertThat(caller("", null, peer(privileged)).role()).isEqualTo(Role.ADMIN);
        }
    }

    @Test
    void caller_withToken_isUserOfToken() {
        assertThat(caller("", "bob", peer("root")))
                .as("a member of the groups that the system says, not of those of the peer")
                .isEqualTo(new Caller("bob", List.of("bob", "team"), Role.OPERATOR, Source.TOKEN));
        assertThat(caller("bob", "bob", null).user()).isEqualTo("bob");
        assertThat(caller("bob", null, null)).isEqualTo(Caller.UNKNOWN);
    }

    @Test
    void caller_namingAnotherUser_isRefusedUnlessTrusted() {
        for (Credentials refused : List.of(
                new Credentials("bob", null, peer("ada"), ""),
                new Credentials("bob", null, peer("root"), ""),
                new Credentials("bob", "Bearer ada", null, ""))) {
            assertRefused(ProblemKind.FORBIDDEN, refused);
        }
        Caller bob = new Caller("bob", List.of("bob", "team"), Role.SUBMITTER, Source.TOKEN, "portal", null);
        assertThat(callers.known(new Credentials("bob", "Bearer portal", null, "")))
                .isNull();
        assertThat(caller("bob", "portal", null)).isEqualTo(bob);
        assertThat(caller("bob", null, peer("portal")).source()).isEqualTo(Source.SOCKET);
        assertRefused(ProblemKind.FORBIDDEN, new Credentials("root", "Bearer portal", null, ""));
        assertRefused(
                ProblemKind.FORBIDDEN, new Credentials(System.getProperty("user.name"), "Bearer portal", null, ""));
        assertThat(caller("", "portal", null).role()).isEqualTo(Role.OPERATOR);
    }

    @Test
    void caller_withTokenOfIssuer_isMemberOfItsGroupsAlone() throws Exception {
        Caller ada = new Caller("ada", List.of("claimed"), Role.SUBMITTER, Source.OIDC);
        callers = callers(credentials -> ada, "printf team");

        assertThat(caller("", "ada", null)).isEqualTo(ada);
    }

    @Test
    void proxy_withLowRole_givesNoHigherOne() throws Exception {
        callers = callers(credentials -> new Caller("portal", List.of(), Role.VIEWER, Source.TOKEN), "printf team");

        assertThat(caller("bob", null, null).role()).isEqualTo(Role.VIEWER);
    }

    @Test
    void caller_unverified_mayNameAnyUser() throws Exception {
        callers = callers(credentials -> Caller.unverified(credentials.user()), "printf team");

        assertThat(caller("bob", null, null)).isEqualTo(Caller.unverified("bob"));
    }

    @Test
    void groups_unavailable_keepOutAllButThePrivileged() throws Exception {
        callers = new CallerAuthenticator(
                TOKENS, Set.of(), new SystemGroups("/no/such/id", SystemGroups.TIMEOUT, System::nanoTime));

        assertRefused(ProblemKind.UNAVAILABLE, new Credentials("", null, peer("ada"), ""));
        assertRefused(ProblemKind.UNAVAILABLE, new Credentials("", "Bearer ada", null, ""));
        assertThat(callers.authenticate(new Credentials("", null, peer("sluice"), "")))
                .isEqualTo(new Caller("sluice", List.of(), Role.ADMIN, Source.SOCKET));
    }

    @Test
    void peer_gone_isUnknown() {
        Peer gone = new Peer(
                () -> {
                    throw new IOException("connection closed");
                },
                "sluice");

        assertRefused(ProblemKind.UNAUTHENTICATED, new Credentials("", null, gone, ""));
    }
}
