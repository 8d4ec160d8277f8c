package dev.sluice.server.page;

import dev.sluice.server.access.Sessions;
import dev.sluice.server.http.Authenticator;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.List;
import java.util.Map;

/** Signing in to the page with a token or a one-time link, and signing out. */
final class SignInRoutes {

    private static final String BEARER = "Bearer ";

    private final PageRoutes routes;
    private final SignInAnswers answers;
    private final Sessions sessions;
    private final Authenticator authenticator;

    /** @param authenticator knows callers by their tokens */
    SignInRoutes(PageRoutes routes, SignInAnswers answers, Sessions sessions, Authenticator authenticator) {
        this.routes = routes;
        this.answers = answers;
        this.sessions = sessions;
        this.authenticator = authenticator;
    }

    List<Route> routes() {
        return List.of(
                routes.open(Links.SIGN_IN, "pageSignIn", this::show),
                routes.openForm("/sign-in", "pageSendToken", this::signIn),
                routes.openForm("/sign-out", "pageSignOut", this::signOut));
    }

    private ApiResponse show(Call call) {
        String next = SignInAnswers.next(call.query("next"));
        String code = call.query("code");
        if (code == null) {
            return call.caller().role().includes(Role.VIEWER)
                    ? PageAnswers.redirect(next)
                    : answers.page(call, 200, next, "");
        }
        if ("cross-site".equals(call.header("Sec-Fetch-Site"))) {
            throw ProblemException.of(
                    ProblemKind.CROSS_SITE,
                    "a page of another site cannot sign you in; copy the link into the address bar");
        }
        String session = sessions.redeem(code);
        return session == null
                ? answers.page(
                        call,
                        401,
                        next,
                        "The link has been used or is older than " + Sessions.CODE_MAX.toSeconds()
                                + " s. Run sluice ui again.")
                : signedIn(call, next, session);
    }

    private ApiResponse signIn(Call call, Map<String, String> fields) {
        String next = SignInAnswers.next(fields.get("next"));
        String token = fields.getOrDefault("token", "").strip();
        if (token.isEmpty()) {
            return answers.page(call, 401, next, "Enter a token.");
        }
        String authorization = BEARER + token;
        Caller caller;
        try {
            caller = authenticator.authenticate(new Credentials("", authorization, null, call.address()));
        } catch (ProblemException problem) {
            return answers.page(
                    call,
                    problem.kind().status(),
                    next,
                    String.valueOf(problem.problem().detail()));
        }
        return signedIn(call, next, sessions.begin(caller, authorization));
    }

    private ApiResponse signedIn(Call call, String next, String session) {
        return PageAnswers.redirect(next).withHeader("Set-Cookie", answers.begin(call, session));
    }

    private ApiResponse signOut(Call call, Map<String, String> fields) {
        sessions.end(Forms.session(call));
        return PageAnswers.redirect(Links.SIGN_IN).withHeader("Set-Cookie", answers.cookie(call, "", 0));
    }
}
