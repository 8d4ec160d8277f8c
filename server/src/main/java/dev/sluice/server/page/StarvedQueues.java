package dev.sluice.server.page;

import dev.sluice.server.api.ApplicationPage;
import dev.sluice.server.api.ApplicationView;
import dev.sluice.server.api.PartitionView;
import dev.sluice.server.api.QueueView;
import dev.sluice.server.route.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Notes about queues that have waited for some time for what they are due. A queue counts if one of the first
 * applications that it will try has waited that long, and not only for nodes or a configuration that do not exist.
 */
final class StarvedQueues {

    /** Minimum time that an application has waited. */
    static final Duration WAIT_MIN = Duration.ofSeconds(30);

    /** Maximum number of queues whose applications are read. */
    private static final int QUEUES_MAX = 10;

    /** Maximum number of applications of a queue that are explained. */
    private static final int TRIED_MAX = 3;

    private final ApiCalls api;
    private final WaitReasons reasons;

    StarvedQueues(ApiCalls api, WaitReasons reasons) {
        this.api = api;
        this.reasons = reasons;
    }

    /** Returns the notes about a partition. */
    List<OverviewPage.Note> notes(Call call, PartitionView partition, Instant now) {
        List<Starvation.Starved> starved =
                Starvation.of(api.list(call, "listQueues", QueueView.class, Map.of("partition", partition.name())));
        List<OverviewPage.Note> notes = new ArrayList<>();
        for (Starvation.Starved each : starved.subList(0, Math.min(QUEUES_MAX, starved.size()))) {
            waiting(call, partition.name(), each.leaf(), now)
                    .ifPresent(waiting -> notes.add(new OverviewPage.Note(
                            "Queue " + each.queue().path() + " " + each.words() + "; "
                                    + Figures.count(each.queue().pendingTasks())
                                    + " tasks are pending, those of application "
                                    + waiting.application() + " since " + Figures.exact(waiting.since()),
                            Links.queue(partition.name(), each.queue().path()))));
        }
        if (starved.size() > QUEUES_MAX) {
            notes.add(new OverviewPage.Note(
                    Figures.count(starved.size() - QUEUES_MAX)
                            + " more queues have pending tasks and less than they are" + " due",
                    Links.with(Links.queues(partition.name()), Map.of("sort", "pending"))));
        }
        return notes;
    }

    /** An application with pending tasks, and since when it has had them. */
    private record Waiting(String application, Instant since) {}

    /** Returns an application of a leaf queue that has waited long enough and could start. */
    private Optional<Waiting> waiting(Call call, String partition, String leaf, Instant now) {
        ApplicationPage tried = api.recent(
                call,
                "listApplications",
                ApplicationPage.class,
                Map.of("partition", partition, "queue", leaf, "sort", "tried", "limit", Integer.toString(TRIED_MAX)));
        for (ApplicationView application : tried.items()) {
            Instant since = application.pendingSince();
            if (since != null
                    && !since.plus(WAIT_MIN).isAfter(now)
                    && reasons.mayStart(call, partition, application.id())) {
                return Optional.of(new Waiting(application.id(), since));
            }
        }
        return Optional.empty();
    }
}
