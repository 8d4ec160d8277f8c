package dev.sluice.server.page;

import dev.sluice.server.api.WaitView;
import dev.sluice.server.api.WhyView;
import dev.sluice.server.route.Call;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.util.List;
import java.util.Map;

/**
 * Why applications wait. Explaining that is a query that takes time, so an answer is kept for 30 s for all readers, and
 * callers ask about few applications.
 */
final class WaitReasons {

    private final ApiCalls api;

    WaitReasons(ApiCalls api) {
        this.api = api;
    }

    /** Returns the reasons; none if the application does not exist any more. */
    private List<WaitView> of(Call call, String partition, String application) {
        try {
            return api.recent(
                            call,
                            "whyApplication",
                            WhyView.class,
                            Map.of("partition", partition, "application", application))
                    .reasons();
        } catch (ProblemException gone) {
            if (gone.kind() != ProblemKind.NOT_FOUND) {
                throw gone;
            }
            return List.of();
        }
    }

    /** Returns whether some of its tasks wait for something else than a change of nodes or configuration. */
    boolean mayStart(Call call, String partition, String application) {
        return of(call, partition, application).stream().anyMatch(reason -> !reason.never());
    }

    /** Returns the reasons that only a change of nodes or configuration ends. */
    List<WaitView> never(Call call, String partition, String application) {
        return of(call, partition, application).stream().filter(WaitView::never).toList();
    }
}
