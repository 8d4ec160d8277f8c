package dev.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.RawClient;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A route can be called with its role or a higher one, and by nobody whom the server does not know. */
final class RoleCheckTest {

    /** The user is the name of a role; a name in capitals needs a slow look-up. */
    private static final Authenticator ROLES = new Authenticator() {
        @Override
        public Caller authenticate(Credentials credentials) {
            if (credentials.user().isEmpty()) {
                return Caller.UNKNOWN;
            }
            return Arrays.stream(Role.values())
                    .filter(role -> role.wireName().equalsIgnoreCase(credentials.user()))
                    .findAny()
                    .map(role -> new Caller(credentials.user(), List.of(), role, Caller.Source.UNVERIFIED))
                    .orElseThrow(() -> ProblemException.of(ProblemKind.UNAUTHENTICATED, "nobody"));
        }

        @Override
        public @Nullable Caller known(Credentials credentials) {
            boolean slow = credentials.user().toLowerCase(Locale.ROOT).equals(credentials.user());
            return slow ? authenticate(credentials) : null;
        }
    };

    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        List<Route> routes = Arrays.stream(Role.values())
                .map(role -> Route.get("/" + role.wireName())
                        .named("get" + role.wireName(), "test")
                        .role(role)
                        .summary("Answers the caller.")
                        .textResponse("The caller.", "text/plain")
                        .handledBy(call -> ApiResponse.text("text/plain", call.actor())))
                .toList();
        server = HttpServer.start(
                HttpServer.Settings.of(0, 1 << 20, 8), Json.mapper(), ROLES, routes, (route, status, nanos) -> {});
    }

    @AfterEach
    void end() {
        server.close();
    }

    private String ask(Role route, String user) throws Exception {
        return RawClient.ask(
                server.port(),
                "GET /api/v1/" + route.wireName() + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nSluice-User: "
                        + user + "\r\n\r\n");
    }

    @Test
    void route_anyRole_isForThatRoleAndHigherOnesButAgentsDoNotSubmit() throws Exception {
        for (Role route : Role.values()) {
            for (Role role : Role.values()) {
                for (String user : List.of(role.wireName(), role.wireName().toUpperCase(Locale.ROOT))) {
                    String answer = ask(route, user);
                    if (role.compareTo(route) >= 0 && !(role == Role.AGENT && route == Role.SUBMITTER)) {
                        assertThat(answer).startsWith("HTTP/1.1 200").endsWith(user);
                    } else {
                        assertThat(answer)
                                .startsWith("HTTP/1.1 403")
                                .contains("this request requires the role " + route.wireName() + ", but user " + user
                                        + " has the role " + role.wireName());
                    }
                }
            }
        }
    }

    @Test
    void caller_withoutCredentials_mayCallOnlyRoutesForAnyone() throws Exception {
        assertThat(ask(Role.ANYONE, "")).startsWith("HTTP/1.1 200");
        assertThat(ask(Role.VIEWER, ""))
                .startsWith("HTTP/1.1 401")
                .contains("WWW-Authenticate: Bearer", "requires the role viewer, and the request has no credentials");
    }

    @Test
    void caller_withInvalidCredentials_isUnauthenticated() throws Exception {
        assertThat(ask(Role.ANYONE, "mallory")).startsWith("HTTP/1.1 401").contains("unauthenticated");
        assertThat(ask(Role.ANYONE, "MALLORY")).startsWith("HTTP/1.1 401").contains("unauthenticated");
    }
}
