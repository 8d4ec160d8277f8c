package dev.sluice.server.page;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds applications none of whose waiting tasks can start unless nodes or the configuration change. Explaining why
 * tasks wait is a query that takes time, so only the applications that have waited the longest are explained, at most
 * once in 30 s for all readers.
 */
final class StuckApplications {

    /** Maximum number of applications that are explained. */
    static final int EXPLAINED_MAX = 10;

    private final ApiCalls api;

    StuckApplications(ApiCalls api) {
        this.api = api;
    }

    /** Returns notes about such applications of a partition. */
    List<OverviewPage.Note> notes(Call call, String partition) {
        ApplicationPage waiting = api.recent(
                call,
                "listApplications",
                ApplicationPage.class,
                Map.of(
                        "partition",
                        partition,
                        "state",
                        ApplicationState.ACCEPTED.wireName(),
                        "limit",
                        Integer.toString(EXPLAINED_MAX)));
        return waiting.items().stream()
                .map(application -> note(call, partition, application.id()))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<OverviewPage.Note> note(Call call, String partition, String application) {
        try {
            String reason = reason(call, partition, application);
            return reason.isEmpty() || !isAccepted(call, partition, application)
                    ? Optional.empty()
                    : Optional.of(new OverviewPage.Note(
                            "Application " + application + " cannot start until nodes or configuration change: "
                                    + reason,
                            Links.application(partition, application)));
        } catch (ProblemException gone) {
            if (gone.kind() != ProblemKind.NOT_FOUND) {
                throw gone;
            }
            return Optional.empty();
        }
    }

    /** Returns whether it still waits: what is known about it may be 30 s old. */
    private boolean isAccepted(Call call, String partition, String application) {
        return api.shared(
                        call,
                        "getApplication",
                        ApplicationView.class,
                        Map.of("partition", partition, "application", application))
                .state()
                .equals(ApplicationState.ACCEPTED.wireName());
    }

    private String reason(Call call, String partition, String application) {
        WhyView why = api.recent(
                call, "whyApplication", WhyView.class, Map.of("partition", partition, "application", application));
        return why.reasons().isEmpty() || !why.reasons().stream().allMatch(WaitView::never)
                ? ""
                : why.reasons().get(0).detail();
    }
}
