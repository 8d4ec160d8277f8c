package dev.sluice.server.routes;

import dev.sluice.runtime.journal.AuditLog;
import dev.sluice.runtime.journal.AuditLog.AuditEntry;
import dev.sluice.runtime.journal.AuditLog.AuditQuery;
import dev.sluice.runtime.journal.StoreException;
import dev.sluice.server.api.AuditPage;
import dev.sluice.server.api.AuditView;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.Parameter;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Role;
import dev.sluice.server.route.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The route of the audit log. */
public final class AuditRoutes {

    private static final int PAGE = 100;
    private static final int PAGE_MAX = 1000;

    private final AuditLog log;

    public AuditRoutes(AuditLog log) {
        this.log = log;
    }

    public List<Route> routes() {
        return List.of(Route.get("/audit")
                .named("listAudit", "server")
                .action("reading the audit log")
                .role(Role.ADMIN)
                .summary("Lists requests of verified callers that changed something or were refused, newest first. They"
                        + " appear within about a second.")
                .query("user", Parameter.Type.TEXT, "Only requests of this user.")
                .query("from", Parameter.Type.TEXT, "Only requests answered at this instant or later.")
                .query("to", Parameter.Type.TEXT, "Only requests answered before this instant.")
                .query("before", Parameter.Type.NUMBER, "Value of next of the previous page.")
                .query(
                        "limit",
                        Parameter.Type.NUMBER,
                        "Maximum number of results: 1 to " + PAGE_MAX + "; defaults to " + PAGE + ".")
                .response(200, AuditPage.class, "The requests.")
                .problems(ProblemKind.INVALID)
                .handledBy(this::list));
    }

    private ApiResponse list(Call call) {
        int limit = (int) call.number("limit", PAGE, 1, PAGE_MAX);
        AuditQuery query = new AuditQuery(
                call.query("user"),
                HistoryRoutes.optionalInstant(call, "from"),
                HistoryRoutes.optionalInstant(call, "to"),
                call.number("before", Long.MAX_VALUE, 1, Long.MAX_VALUE),
                limit + 1);
        List<AuditEntry> found;
        try {
            found = log.find(query);
        } catch (StoreException e) {
            throw FinishedApplications.unreadable(e);
        }
        return ApiResponse.ok(new AuditPage(
                found.subList(0, Math.min(limit, found.size())).stream()
                        .map(AuditRoutes::view)
                        .toList(),
                found.size() > limit ? found.get(limit - 1).sequence() : null));
    }

    private static AuditView view(AuditEntry entry) {
        return new AuditView(
                entry.sequence(),
                entry.at(),
                orNull(entry.user()),
                entry.source(),
                orNull(entry.address()),
                entry.route(),
                entry.target(),
                entry.status(),
                orNull(entry.detail()));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
