package dev.sluice.server.page;

import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.RevisionView;
import dev.sluice.server.report.SimulationReports;
import dev.sluice.server.report.SimulationReports.Report;
import dev.sluice.server.route.ApiResponse;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import dev.sluice.server.route.Route;
import dev.sluice.simulator.report.HtmlReport;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Simulations of past work under another configuration, and their reports. */
public final class ReportPages {

    private static final String PATH = "/partitions/{partition}/reports";

    /** Problems of what was entered; others are of the request. */
    private static final Set<ProblemKind> WRONG = Set.of(ProblemKind.INVALID, ProblemKind.BUSY, ProblemKind.TOO_MUCH);

    private final ApiCalls api;
    private final PageRoutes pages;
    private final Templates templates;
    private final Shells shells;
    private final SimulationReports reports;

    /**
     * What the page shows.
     *
     * @param starts whether the reader may start simulations
     * @param text the other configuration
     * @param problem why no simulation was started; empty if none was tried
     * @param ended how many applications have ended in the simulation that is running
     */
    public record Model(
            String partition,
            boolean starts,
            String text,
            UsagePeriod period,
            String problem,
            long ended,
            List<Report> reports) {

        /** Returns whether a simulation of this partition is running. */
        public boolean isRunning() {
            return reports.stream().anyMatch(report -> report.state() == SimulationReports.State.RUNNING);
        }
    }

    ReportPages(ApiCalls api, PageRoutes pages, Templates templates, Shells shells, SimulationReports reports) {
        this.api = api;
        this.pages = pages;
        this.templates = templates;
        this.shells = shells;
        this.reports = reports;
    }

    List<Route> routes() {
        return List.of(
                pages.page(PATH, "pageReports", "getWorkload", Map.of(), this::show),
                pages.page(PATH + "/{report}", "pageReport", "getWorkload", Map.of(), this::report),
                pages.form(PATH, "pageStartReport", "applyConfiguration", this::start),
                pages.form(PATH + "/cancel", "pageCancelReport", "applyConfiguration", this::cancel));
    }

    private String partition(Call call) {
        return api.get(call, "getPartition", PartitionView.class, Map.of("partition", call.path("partition")))
                .name();
    }

    private ApiResponse show(Call call) {
        String text =
                api.get(call, "getConfiguration", RevisionView.class, Map.of()).text();
        return page(call, 200, text == null ? "" : text, UsagePeriod.WEEK, "");
    }

    private ApiResponse report(Call call) {
        String id = call.path("report");
        Report found = reports.of(partition(call)).stream()
                .filter(report ->
                        Long.toString(report.id()).equals(id) && !report.page().isEmpty())
                .findFirst()
                .orElseThrow(() -> ProblemException.of(
                        ProblemKind.NOT_FOUND,
                        "report " + id + " does not exist; the last " + SimulationReports.REPORTS_MAX
                                + " are kept until the server restarts"));
        return PageAnswers.foreignPage(found.page(), HtmlReport.policy());
    }

    private ApiResponse start(Call call, Map<String, String> fields) {
        String partition = partition(call);
        String text = fields.getOrDefault("text", "").replace("\r\n", "\n");
        String named = fields.get("period");
        UsagePeriod period = named == null ? UsagePeriod.WEEK : UsagePeriod.named(named);
        try {
            String workload = api.text(
                    call,
                    "getWorkload",
                    Map.of(
                            "partition",
                            partition,
                            "from",
                            period.steps(shells.now()).get(0).from().toString()),
                    SimulationReports.CHARACTERS_MAX);
            reports.start(new SimulationReports.Request(
                    partition, period.label(), call.caller().user(), workload, text));
            return PageAnswers.redirect(Links.reports(partition));
        } catch (ProblemException problem) {
            if (!WRONG.contains(problem.kind())) {
                throw problem;
            }
            return page(
                    call,
                    problem.kind().status(),
                    text,
                    period,
                    String.valueOf(problem.problem().detail()));
        }
    }

    private ApiResponse cancel(Call call, Map<String, String> fields) {
        String partition = partition(call);
        reports.cancel(partition);
        return PageAnswers.redirect(Links.reports(partition));
    }

    private ApiResponse page(Call call, int status, String text, UsagePeriod period, String problem) {
        String partition = partition(call);
        Shell shell = shells.live(call, "Reports", Shell.Section.REPORTS, partition, Links.reports(partition));
        Model model = new Model(
                partition,
                api.permits(call, "applyConfiguration"),
                text,
                period,
                problem,
                reports.applicationsEnded(),
                reports.of(partition));
        return PageAnswers.page(status, templates.render("reports", shell, model));
    }
}
