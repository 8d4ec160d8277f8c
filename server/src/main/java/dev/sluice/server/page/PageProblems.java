package dev.sluice.server.page;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Caller;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.ProblemPage;
import java.time.Duration;
import java.util.Map;

/** Answers problems as pages: who is not signed in is asked to sign in, others learn what happened. */
public final class PageProblems implements ProblemPage {

    private final Templates templates;
    private final Shells shells;

    PageProblems(Templates templates, Shells shells) {
        this.templates = templates;
        this.shells = shells;
    }

    /**
     * What a page of a problem shows.
     *
     * @param reload whether the browser opens {@code back} at once
     */
    public record Model(int status, String title, String detail, String back, boolean reload) {}

    @Override
    public ApiResponse answer(ProblemException problem, FailedRequest request) {
        if (problem.kind() == ProblemKind.UNAUTHENTICATED) {
            return signIn(problem, request);
        }
        String title = problem.kind().title();
        ApiResponse page = page(
                request,
                new Model(problem.kind().status(), title, problem.problem().detail(), Links.ROOT, false));
        Duration retry = problem.retryAfter();
        return retry == null ? page : page.withHeader("Retry-After", Long.toString(Math.max(1, retry.toSeconds())));
    }

    private ApiResponse signIn(ProblemException problem, FailedRequest request) {
        if ("cross-site".equals(request.headers().apply("Sec-Fetch-Site"))) {
            return opening(request.target());
        }
        String target = Links.isPage(request.target()) ? request.target() : Links.ROOT;
        String signIn = Links.with(Links.SIGN_IN, Map.of("next", target));
        return request.headers().apply("HX-Request") == null
                ? PageAnswers.redirect(signIn)
                : page(request, new Model(401, "Sign in", problem.problem().detail(), signIn, false))
                        .withHeader("HX-Redirect", Links.SIGN_IN);
    }

    /**
     * Returns a page that opens another one at once. A browser sends cookies of this site with that, which it withholds
     * where another site leads it to a page.
     */
    ApiResponse opening(String target) {
        Shell shell = shells.bare("Opening the page", Caller.UNKNOWN);
        return PageAnswers.page(
                200, templates.render("problem", shell, new Model(200, "Opening the page", "", target, true)));
    }

    private ApiResponse page(FailedRequest request, Model model) {
        Caller caller = request.caller();
        Shell shell = shells.bare(model.title(), caller == null ? Caller.UNKNOWN : caller);
        return PageAnswers.page(model.status(), templates.render("problem", shell, model));
    }
}
