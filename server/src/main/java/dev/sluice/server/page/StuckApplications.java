package dev.sluice.server.page;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds applications with tasks that cannot start unless nodes or the configuration change: among those that have
 * waited the longest for their first start, and those with the most pending tasks.
 */
final class StuckApplications {

    /** Maximum number of applications of each kind that are explained. */
    static final int EXPLAINED_MAX = 10;

    /** Maximum number of applications that are named. */
    static final int NAMED_MAX = 10;

    private final ApiCalls api;
    private final WaitReasons reasons;

    StuckApplications(ApiCalls api, WaitReasons reasons) {
        this.api = api;
        this.reasons = reasons;
    }

    /** Returns notes about such applications of a partition. */
    List<OverviewPage.Note> notes(Call call, String partition) {
        Map<String, ApplicationView> asked = new LinkedHashMap<>();
        list(call, partition, Map.of("state", ApplicationState.ACCEPTED.wireName()))
                .forEach(application -> asked.putIfAbsent(application.id(), application));
        list(call, partition, Map.of("state", "active", "sort", "pending"))
                .forEach(application -> asked.putIfAbsent(application.id(), application));
        List<OverviewPage.Note> notes = asked.values().stream()
                .filter(application -> application.tasks().pending() > 0)
                .map(application -> note(call, partition, application.id()))
                .flatMap(Optional::stream)
                .toList();
        if (notes.size() <= NAMED_MAX) {
            return notes;
        }
        List<OverviewPage.Note> named = new ArrayList<>(notes.subList(0, NAMED_MAX));
        named.add(new OverviewPage.Note(
                "and " + Figures.count(notes.size() - NAMED_MAX) + " more applications with tasks that cannot start",
                Links.with(Links.applications(partition), Map.of("sort", "pending"))));
        return named;
    }

    private List<ApplicationView> list(Call call, String partition, Map<String, String> which) {
        Map<String, String> parameters = new LinkedHashMap<>(which);
        parameters.put("partition", partition);
        parameters.put("limit", Integer.toString(EXPLAINED_MAX));
        return api.recent(call, "listApplications", ApplicationPage.class, parameters)
                .items();
    }

    private Optional<OverviewPage.Note> note(Call call, String partition, String id) {
        List<WaitView> never = reasons.never(call, partition, id);
        return never.isEmpty()
                ? Optional.empty()
                : current(call, partition, id).flatMap(application -> note(partition, application, never));
    }

    private static Optional<OverviewPage.Note> note(
            String partition, ApplicationView application, List<WaitView> never) {
        long pending = application.tasks().pending();
        long stuck = Math.min(pending, never.stream().mapToLong(WaitView::tasks).sum());
        boolean all = stuck == pending && application.state().equals(ApplicationState.ACCEPTED.wireName());
        String subject = all
                ? "Application " + application.id()
                : Figures.count(stuck) + (stuck == 1 ? " task" : " tasks") + " of application " + application.id();
        return stuck == 0
                ? Optional.empty()
                : Optional.of(new OverviewPage.Note(
                        subject + " cannot start until nodes or configuration change: "
                                + never.get(0).detail(),
                        Links.application(partition, application.id())));
    }

    /** Returns the application as it is now, if it exists: what is known about why it waits may be 30 s old. */
    private Optional<ApplicationView> current(Call call, String partition, String id) {
        try {
            return Optional.of(api.shared(
                    call, "getApplication", ApplicationView.class, Map.of("partition", partition, "application", id)));
        } catch (ProblemException gone) {
            if (gone.kind() != ProblemKind.NOT_FOUND) {
                throw gone;
            }
            return Optional.empty();
        }
    }
}
