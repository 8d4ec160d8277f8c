package dev.sluice.server.page;

import dev.sluice.server.access.IssuerSignIn;
import dev.sluice.server.access.IssuerSignIn.BegunSignIn;
import dev.sluice.server.access.IssuerSignIn.CompletedSignIn;
import dev.sluice.server.access.Sessions;
import dev.sluice.server.http.Credentials;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Signing in to the page at an OpenID Connect issuer. */
final class IssuerSignInRoutes {

    private static final List<String> ANSWER = List.of("state", "code", "iss", "error", "error_description");

    private final PageRoutes routes;
    private final SignInAnswers answers;
    private final PageProblems problems;
    private final Sessions sessions;
    private final IssuerSignIn issuer;

    IssuerSignInRoutes(
            PageRoutes routes, SignInAnswers answers, PageProblems problems, Sessions sessions, IssuerSignIn issuer) {
        this.routes = routes;
        this.answers = answers;
        this.problems = problems;
        this.sessions = sessions;
        this.issuer = issuer;
    }

    List<Route> routes() {
        return List.of(
                routes.open(Links.SIGN_IN_AT_ISSUER, "pageSignInAtIssuer", this::begin),
                routes.open(Links.SIGN_IN_CALLBACK, "pageSignedInAtIssuer", this::complete));
    }

    private ApiResponse begin(Call call) {
        String next = SignInAnswers.next(call.query("next"));
        if ("cross-site".equals(call.header("Sec-Fetch-Site"))) {
            return answers.page(call, 200, next, ""); // nobody signs in because of a link of another site
        }
        try {
            BegunSignIn begun = issuer.begin(next);
            return PageAnswers.redirect(begun.address())
                    .withHeader("Set-Cookie", cookie(call, begun.cookie(), IssuerSignIn.TIME_MAX.toSeconds()));
        } catch (ProblemException problem) {
            return failed(call, problem);
        }
    }

    private ApiResponse complete(Call call) {
        Map<String, String> answer = new LinkedHashMap<>();
        for (String parameter : ANSWER) {
            String value = call.query(parameter);
            if (value != null) {
                answer.put(parameter, value);
            }
        }
        CompletedSignIn completed;
        try {
            completed = issuer.complete(Credentials.cookie(call.header("Cookie"), IssuerSignIn.COOKIE), answer);
        } catch (ProblemException problem) {
            return failed(call, problem).withHeader("Set-Cookie", cookie(call, "", 0));
        }
        String session = sessions.begin(completed.caller(), null);
        return problems.opening(SignInAnswers.next(completed.next()))
                .withHeader("Set-Cookie", answers.begin(call, session));
    }

    private ApiResponse failed(Call call, ProblemException problem) {
        return answers.page(
                call,
                problem.kind().status(),
                Links.ROOT,
                String.valueOf(problem.problem().detail()));
    }

    /** The issuer leads back from another site, so the cookie must be sent with links from there. */
    private String cookie(Call call, String value, long seconds) {
        return answers.cookie(call, IssuerSignIn.COOKIE, value, Links.SIGN_IN, seconds, "Lax");
    }
}
