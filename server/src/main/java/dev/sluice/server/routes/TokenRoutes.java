package dev.sluice.server.routes;

import dev.sluice.config.field.DurationText;
import dev.sluice.runtime.journal.AccessToken;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.access.AccessTokens;
import dev.sluice.server.access.AccessTokens.CreatedToken;
import dev.sluice.server.access.AccessTokens.TooManyTokensException;
import dev.sluice.server.api.TokenDocument;
import dev.sluice.server.api.TokenView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The routes of access tokens. An admin manages all tokens, others their own. */
public final class TokenRoutes {

    private static final String TOPIC = "tokens";
    private static final Duration VALIDITY = Duration.ofDays(90);
    private static final Duration VALIDITY_MAX = Duration.ofDays(3650);
    private static final int TEXT_LENGTH_MAX = 256;

    private final AccessTokens tokens;
    private final InstantSource clock;

    public TokenRoutes(AccessTokens tokens, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/tokens")
                        .named("listTokens", TOPIC)
                        .action("listing access tokens")
                        .role(Role.SUBMITTER)
                        .summary("Lists valid access tokens without their secrets, oldest first: all of them for an"
                                + " admin, else the caller's own.")
                        .listResponse(TokenView.class, "The tokens.")
                        .handledBy(this::list),
                Route.post("/tokens")
                        .named("createToken", TOPIC)
                        .action("creating access tokens")
                        .role(Role.SUBMITTER)
                        .summary("Creates an access token. Only this response contains the secret.")
                        .jsonBody(TokenDocument.class, "What the token is for.")
                        .response(201, TokenView.class, "The new token.")
                        .problems(ProblemKind.INVALID)
                        .handledBy(this::create),
                Route.delete("/tokens/{token}")
                        .named("revokeToken", TOPIC)
                        .action("revoking access tokens")
                        .role(Role.SUBMITTER)
                        .summary("Revokes an access token: it is invalid from now on.")
                        .emptyResponse("The token has been revoked.")
                        .problems(ProblemKind.NOT_FOUND)
                        .handledBy(this::revoke));
    }

    private List<AccessToken> visible(Caller caller) {
        return tokens.all().stream()
                .filter(token -> caller.role() == Role.ADMIN || token.user().equals(caller.user()))
                .toList();
    }

    private ApiResponse list(Call call) {
        return ApiResponse.ok(
                visible(call.caller()).stream().map(token -> view(token, null)).toList());
    }

    private ApiResponse create(Call call) {
        TokenDocument document = call.body(TokenDocument.class);
        Caller caller = call.caller();
        String user = text("user", document.user() == null ? caller.user() : document.user());
        if (user.isEmpty()) {
            throw invalid("missing user of the token");
        }
        Role role = role(document.role());
        if (caller.role() != Role.ADMIN && !user.equals(caller.user())) {
            throw forbidden("only an admin can create tokens for other users, and user " + caller.user()
                    + " has the role " + caller.role().wireName());
        }
        if (!caller.role().includes(role)) {
            throw forbidden("user " + caller.user() + " has the role "
                    + caller.role().wireName() + " and cannot create a token with the role " + role.wireName());
        }
        if (!caller.proxy().isEmpty()) {
            throw forbidden("user " + caller.proxy() + " speaks for user " + caller.user()
                    + " and cannot create tokens for others; create the token without a proxy");
        }
        String name = text("name", document.name() == null ? "" : document.name());
        Instant expires = expires(document.expires(), caller.expires());
        try {
            CreatedToken created = tokens.create(user, role, name, expires);
            return ApiResponse.created(view(created.token(), created.secret()));
        } catch (TooManyTokensException e) {
            throw invalid(String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            throw unavailable(e);
        }
    }

    /** @param last when the credentials expire with which the token is created, or null */
    private Instant expires(@Nullable String text, @Nullable Instant last) {
        Instant expires = clock.instant().plus(validity(text));
        if (last == null || !expires.isAfter(last)) {
            return expires;
        }
        if (text != null) {
            throw invalid("expires: a token cannot outlive the token that creates it, which expires at " + last);
        }
        return last;
    }

    private static Duration validity(@Nullable String text) {
        try {
            Duration validity = text == null ? VALIDITY : DurationText.parse(text);
            if (validity.isZero() || validity.compareTo(VALIDITY_MAX) > 0) {
                throw new IllegalArgumentException("must be greater than 0 and at most " + VALIDITY_MAX.toDays() + "d");
            }
            return validity;
        } catch (IllegalArgumentException e) {
            throw invalid("expires: " + e.getMessage());
        }
    }

    private static Role role(@Nullable String text) {
        Role role = text == null ? Role.SUBMITTER : Role.of(text);
        if (role == null || role == Role.ANYONE) {
            throw invalid("role: unknown role, use viewer, submitter, agent, operator or admin");
        }
        return role;
    }

    private static String text(String field, String text) {
        String stripped = text.strip();
        if (stripped.length() > TEXT_LENGTH_MAX || stripped.chars().anyMatch(Character::isISOControl)) {
            throw invalid(field + ": must have at most " + TEXT_LENGTH_MAX + " characters and no control characters");
        }
        return stripped;
    }

    private ApiResponse revoke(Call call) {
        String id = call.path("token");
        AccessToken found = visible(call.caller()).stream()
                .filter(token -> token.id().equals(id))
                .findFirst()
                .orElseThrow(() -> ProblemException.of(ProblemKind.NOT_FOUND, "token " + id + " not found"));
        try {
            tokens.revoke(found);
        } catch (StoreException e) {
            throw unavailable(e);
        }
        return ApiResponse.done();
    }

    private static TokenView view(AccessToken token, @Nullable String secret) {
        return new TokenView(
                token.id(), token.name(), token.user(), token.role(), token.created(), token.expires(), secret);
    }

    private static ProblemException invalid(String detail) {
        return ProblemException.of(ProblemKind.INVALID, detail);
    }

    private static ProblemException forbidden(String detail) {
        return ProblemException.of(ProblemKind.FORBIDDEN, detail);
    }

    private static ProblemException unavailable(StoreException failure) {
        return ProblemException.retry(
                ProblemKind.UNAVAILABLE,
                "cannot change the access tokens: " + failure.getMessage(),
                Duration.ofSeconds(5),
                failure);
    }
}
