package dev.sluice.server.page;

import dev.sluice.server.api.ConfigurationCheckResult;
import dev.sluice.server.api.PlanView;
import dev.sluice.server.api.RevisionPage;
import dev.sluice.server.api.RevisionView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemDetails;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration in an editor, which is checked while one types, with what it would lead to, and its history. */
public final class ConfigurationPages {

    private static final String PATH = "/configuration";
    private static final String REVISIONS_MAX = "20";
    private static final int DIFF_MAX = 400;

    /** The problems of a configuration; others are of the request. */
    private static final Set<ProblemKind> WRONG =
            Set.of(ProblemKind.INVALID, ProblemKind.CONFLICT, ProblemKind.TOO_MUCH, ProblemKind.NOT_FOUND);

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;

    /**
     * What the page shows.
     *
     * @param text the text of the editor
     * @param note the note for the history
     * @param applied the revision that was just applied; empty if none was
     * @param revisions the latest revisions
     * @param plans whether the reader may plan
     * @param applies whether the reader may apply it
     */
    public record Model(
            String text,
            String note,
            RevisionView current,
            String applied,
            List<RevisionView> revisions,
            boolean plans,
            boolean applies,
            Result result) {}

    /**
     * What became of the text in the editor.
     *
     * @param problem why it cannot be applied; empty if it can, or if it has not been checked
     * @param errors where it is wrong
     * @param check the changes that it makes, or null
     * @param diff the lines of the differences, the first {@link #DIFF_MAX}
     * @param plan what it would lead to, or null
     */
    public record Result(
            String problem,
            List<ProblemDetails.Location> errors,
            @Nullable ConfigurationCheckResult check,
            List<DiffLine> diff,
            @Nullable PlanView plan) {

        static final Result NONE = new Result("", List.of(), null, List.of(), null);
    }

    /**
     * A line of the difference.
     *
     * @param style whether the line is added, removed or the same
     */
    public record DiffLine(String style, String text) {}

    ConfigurationPages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
    }

    List<Route> routes() {
        return List.of(
                pages.page(
                        PATH,
                        "pageConfiguration",
                        "getConfiguration",
                        Map.of(
                                "revision", "The revision in the editor; defaults to the current one.",
                                "applied", "The revision that was just applied."),
                        this::show),
                pages.form(PATH + "/check", "pageCheckConfiguration", "validateConfiguration", this::check),
                pages.form(PATH + "/plan", "pagePlanConfiguration", "planConfiguration", this::plan),
                pages.form(PATH + "/apply", "pageApplyConfiguration", "applyConfiguration", this::apply));
    }

    private RevisionView current(Call call) {
        return api.get(call, "getConfiguration", RevisionView.class, Map.of());
    }

    private ApiResponse show(Call call) {
        RevisionView current = current(call);
        String revision = call.query("revision");
        String text = revision == null
                ? current.text()
                : api.get(call, "getRevision", RevisionView.class, Map.of("revision", revision))
                        .text();
        String applied = call.query("applied");
        return page(call, 200, text == null ? "" : text, "", current, applied == null ? "" : applied, Result.NONE);
    }

    private ApiResponse check(Call call, Map<String, String> fields) {
        return page(call, 200, fields, checked(call, text(fields), false));
    }

    private ApiResponse plan(Call call, Map<String, String> fields) {
        return page(call, 200, fields, checked(call, text(fields), true));
    }

    private Result checked(Call call, String text, boolean plan) {
        try {
            ConfigurationCheckResult check =
                    api.send(call, "validateConfiguration", ConfigurationCheckResult.class, Map.of(), text);
            PlanView planned = plan ? api.send(call, "planConfiguration", PlanView.class, Map.of(), text) : null;
            return new Result("", List.of(), check, diff(check.diff()), planned);
        } catch (ProblemException problem) {
            if (!WRONG.contains(problem.kind())) {
                throw problem;
            }
            return wrong(problem, Result.NONE);
        }
    }

    private static Result wrong(ProblemException problem, Result checked) {
        List<ProblemDetails.Location> errors = problem.problem().locations();
        return new Result(
                errors == null || errors.isEmpty() ? problem.problem().detail() : "It cannot be applied:",
                errors == null ? List.of() : errors,
                checked.check(),
                checked.diff(),
                null);
    }

    private static List<DiffLine> diff(String text) {
        return text.lines()
                .limit(DIFF_MAX)
                .map(line -> new DiffLine(line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "", line))
                .toList();
    }

    private ApiResponse apply(Call call, Map<String, String> fields) {
        String text = text(fields);
        try {
            RevisionView applied = api.send(
                    call,
                    "applyConfiguration",
                    RevisionView.class,
                    Map.of("note", fields.getOrDefault("note", ""), "basis", fields.getOrDefault("basis", "")),
                    text);
            return PageAnswers.redirect(
                    Links.with(Links.CONFIGURATION, Map.of("applied", Long.toString(applied.revision()))));
        } catch (ProblemException problem) {
            if (!WRONG.contains(problem.kind())) {
                throw problem;
            }
            return page(call, problem.kind().status(), fields, wrong(problem, checked(call, text, false)));
        }
    }

    /** Returns the text of the editor; browsers send other ends of lines. */
    private static String text(Map<String, String> fields) {
        return fields.getOrDefault("text", "").replace("\r\n", "\n");
    }

    private ApiResponse page(Call call, int status, Map<String, String> fields, Result result) {
        return page(call, status, text(fields), fields.getOrDefault("note", ""), current(call), "", result);
    }

    private ApiResponse page(
            Call call, int status, String text, String note, RevisionView current, String applied, Result result) {
        RevisionPage revisions = api.get(call, "listRevisions", RevisionPage.class, Map.of("limit", REVISIONS_MAX));
        Shell shell = shells.form(call, "Configuration", Shell.Section.CONFIGURATION, "");
        Model model = new Model(
                text,
                note,
                current,
                applied,
                revisions.items(),
                api.permits(call, "planConfiguration"),
                api.permits(call, "applyConfiguration"),
                result);
        return PageAnswers.page(status, templates.render("configuration", shell, model));
    }
}
