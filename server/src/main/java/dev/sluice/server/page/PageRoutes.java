package dev.sluice.server.page;

import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Handler;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the routes of pages: each requires what the route of the API behind it requires. */
final class PageRoutes {

    private static final String TOPIC = "page";

    private final ApiCalls api;
    private final Forms forms;
    private final PageProblems problems;

    /** Answers a form. */
    @FunctionalInterface
    interface FormHandler {
        ApiResponse handle(Call call, Map<String, String> fields);
    }

    PageRoutes(ApiCalls api, Forms forms, PageProblems problems) {
        this.api = api;
        this.forms = forms;
        this.problems = problems;
    }

    /**
     * Returns the route of a page.
     *
     * @param path its path below {@link Links#ROOT}
     * @param behind the route of the API that it shows
     * @param query the query parameters, with their meanings
     */
    Route page(String path, String name, String behind, Map<String, String> query, Handler.Blocking handler) {
        Route shown = api.route(behind);
        Route.Builder route = Route.getAtRoot(Links.ROOT + path)
                .named(name, TOPIC)
                .action(shown.action())
                .role(shown.role())
                .ownership(shown.ownership())
                .summary("Shows what " + behind + " returns.")
                .textResponse("The page.", PageAnswers.HTML)
                .page(problems);
        query.forEach((parameter, meaning) -> route.query(parameter, Parameter.Type.TEXT, meaning));
        return route.handledBy(handler);
    }

    /** Returns the route of something that everybody may see who reaches the server. */
    Route open(String path, String name, Handler.Blocking handler) {
        return Route.getAtRoot(path)
                .named(name, TOPIC)
                .role(Role.ANYONE)
                .summary("Part of the page.")
                .textResponse("The page.", PageAnswers.HTML)
                .page(problems)
                .handledBy(handler);
    }

    /** Returns the route of a form that calls a route of the API and then opens another page. */
    Route form(String path, String name, String behind, FormHandler handler) {
        Route called = api.route(behind);
        return formRoute(path, name)
                .action(called.action())
                .role(called.role())
                .ownership(called.ownership())
                .summary("Calls " + behind + " and shows what changed.")
                .handledBy(call -> handler.handle(call, forms.fields(call)));
    }

    /** Returns the route of a form that everybody may send who reaches the server. */
    Route openForm(String path, String name, FormHandler handler) {
        return formRoute(path, name)
                .role(Role.ANYONE)
                .summary("Part of the page.")
                .handledBy(call -> handler.handle(call, forms.fields(call)));
    }

    private Route.Builder formRoute(String path, String name) {
        return Route.postAtRoot(Links.ROOT + path)
                .named(name, TOPIC)
                .formBody("The fields of the form.")
                .textResponse("The page.", PageAnswers.HTML)
                .page(problems);
    }

    /** Returns the query parameters of a call that are given. */
    static Map<String, String> given(Call call, Iterable<String> names) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String name : names) {
            String value = call.query(name);
            given.put(name, value == null ? "" : value.strip());
        }
        return given;
    }
}
