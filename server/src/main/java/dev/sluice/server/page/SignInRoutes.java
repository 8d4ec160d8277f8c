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
import org.jspecify.annotations.Nullable;

/** Signing in to the page with a token or a one-time link, and signing out. */
public final class SignInRoutes {

    private static final String BEARER = "Bearer ";

    private final PageRoutes routes;
    private final Templates templates;
    private final Shells shells;
    private final Sessions sessions;
    private final Authenticator authenticator;
    private final boolean encrypted;

    /** What the page shows. */
    public record Model(String next, String problem) {}

    /**
     * @param authenticator knows callers by their tokens
     * @param encrypted whether the server encrypts connections
     */
    SignInRoutes(
            PageRoutes routes,
            Templates templates,
            Shells shells,
            Sessions sessions,
            Authenticator authenticator,
            boolean encrypted) {
        this.routes = routes;
        this.templates = templates;
        this.shells = shells;
        this.sessions = sessions;
        this.authenticator = authenticator;
        this.encrypted = encrypted;
    }

    List<Route> routes() {
        return List.of(
                routes.open(Links.SIGN_IN, "pageSignIn", this::show),
                routes.openForm("/sign-in", "pageSendToken", this::signIn),
                routes.openForm("/sign-out", "pageSignOut", this::signOut));
    }

    private ApiResponse show(Call call) {
        String next = next(call.query("next"));
        String code = call.query("code");
        if (code == null) {
            return call.caller().role().includes(Role.VIEWER)
                    ? PageAnswers.redirect(next)
                    : page(call, 200, new Model(next, ""));
        }
        if ("cross-site".equals(call.header("Sec-Fetch-Site"))) {
            throw ProblemException.of(
                    ProblemKind.CROSS_SITE,
                    "a page of another site cannot sign you in; copy the link into the address bar");
        }
        String session = sessions.redeem(code);
        return session == null
                ? page(
                        call,
                        401,
                        new Model(
                                next,
                                "The link has been used or is older than " + Sessions.CODE_MAX.toSeconds()
                                        + " s. Run sluice ui again."))
                : signedIn(call, next, session);
    }

    private ApiResponse signIn(Call call, Map<String, String> fields) {
        String next = next(fields.get("next"));
        String token = fields.getOrDefault("token", "").strip();
        if (token.isEmpty()) {
            return page(call, 401, new Model(next, "Enter a token."));
        }
        String authorization = BEARER + token;
        Caller caller;
        try {
            caller = authenticator.authenticate(new Credentials("", authorization, null, call.address()));
        } catch (ProblemException problem) {
            return page(
                    call,
                    problem.kind().status(),
                    new Model(next, problem.problem().detail()));
        }
        return signedIn(call, next, sessions.begin(caller, authorization));
    }

    private ApiResponse signedIn(Call call, String next, String session) {
        String former = Forms.session(call);
        if (!former.isEmpty()) {
            sessions.end(former);
        }
        return PageAnswers.redirect(next)
                .withHeader("Set-Cookie", cookie(call, session, Sessions.SESSION_MAX.toSeconds()));
    }

    private ApiResponse signOut(Call call, Map<String, String> fields) {
        sessions.end(Forms.session(call));
        return PageAnswers.redirect(Links.SIGN_IN).withHeader("Set-Cookie", cookie(call, "", 0));
    }

    private String cookie(Call call, String value, long seconds) {
        String origin = call.header("Origin");
        // a proxy in front of the server may encrypt connections in its place
        boolean secure = encrypted || (origin != null && origin.startsWith("https://"));
        return Credentials.SESSION_COOKIE + "=" + value + "; Path=" + Links.ROOT + "; Max-Age=" + seconds
                + "; HttpOnly; SameSite=Strict" + (secure ? "; Secure" : "");
    }

    private ApiResponse page(Call call, int status, Model model) {
        Shell shell = shells.still(call, "Sign in", Shell.Section.NONE, "");
        return PageAnswers.page(status, templates.render("signin", shell, model));
    }

    private static String next(@Nullable String target) {
        return target != null && Links.isPage(target) ? target : Links.ROOT;
    }
}
