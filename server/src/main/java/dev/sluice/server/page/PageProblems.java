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
        boolean isUpdate = request.headers().apply("HX-Request") != null;
        String target = isUpdate ? openPage(request) : request.target();
        String signIn = Links.with(Links.SIGN_IN, Map.of("next", SignInAnswers.next(target)));
        return isUpdate
                ? page(request, new Model(401, "Sign in", problem.problem().detail(), signIn, false))
                        .withHeader("HX-Redirect", signIn)
                : PageAnswers.redirect(signIn);
    }

    /** Returns the path and query of the page that sent a request in the background; empty if it does not say so. */
    private static String openPage(FailedRequest request) {
        String address = request.headers().apply("HX-Current-URL");
        if (address == null) {
            return "";
        }
        int path = address.indexOf('/', address.indexOf("//") + 2);
        return path < 0 ? "" : address.substring(path);
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
