package dev.sluice.server;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.state.Event;
import dev.sluice.runtime.journal.Cause;
import dev.sluice.runtime.journal.codec.RandomRecords;
import dev.sluice.server.api.EventView;
import dev.sluice.server.view.EventViews;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the table of event types in {@code docs/reference/rest.md} with the views of random events. */
final class EventReferenceTest {

    private static final int EVENTS_PER_TYPE = 300;

    private static final Map<String, String> MEANINGS = Map.ofEntries(
            entry("application.dependencyended", "An application that it waits for has ended."),
            entry("application.gangstarted", "The members of its gang were allocated together."),
            entry("application.gangtimedout", "Its gang has not started in time."),
            entry("application.held", "It was held."),
            entry("application.released", "It was released."),
            entry("application.retried", "Tasks that had ended run again."),
            entry("application.sealed", "It accepts no more tasks."),
            entry("application.starttimereached", "Its `notbefore` has passed."),
            entry("application.statechanged", "Its state changed."),
            entry("application.submitted", "It was submitted."),
            entry("application.tasksadded", "Tasks were added."),
            entry("application.tasksdropped", "The pending tasks of this id were dropped: they never run."),
            entry("application.updated", "It was updated; only what was changed is named."),
            entry("node.healthchanged", "Its health changed, or it was reported as flaky again."),
            entry("node.registered", "A node was registered."),
            entry("node.reinstated", "It accepts tasks again."),
            entry("node.removed", "It was removed."),
            entry("node.takenoffline", "It takes no more tasks; running tasks finish."),
            entry("node.tainted", "Its taints changed."),
            entry("node.updated", "Its capacity or labels were updated."),
            entry("partition.configured", "The configuration of a partition was applied."),
            entry("partition.removed", "An empty partition was removed."),
            entry("partition.seeded", "Its random seed was set."),
            entry("partition.throttled", "The maximum number of allocated tasks was set; -1 means none."),
            entry("queue.created", "A placement rule created a queue."),
            entry("queue.maximumexceeded", "A queue was found to use more than its maximum, which was lowered."),
            entry("queue.quotasset", "The quotas of a queue that a placement rule had created were set."),
            entry("queue.rebalancedue", "Load classes have been too far from their entitlements for long enough."),
            entry("queue.rebalanced", "Loans were reclaimed."),
            entry("queue.removed", "A queue was removed."),
            entry("queue.spreadexceeded", "Load classes are too far from their entitlements."),
            entry("queue.spreadreturned", "Load classes are close to their entitlements again."),
            entry("queue.usagepriorityset", "The usage priority of a queue was set."),
            entry(
                    "reservation.ended",
                    "A [reservation](../guides/policies/quotas-and-placement.md#reservations) ended: `started`,"
                            + " `withdrawn`, `not-permitted`, `no-node`, `outranked` or `disabled`."),
            entry(
                    "reservation.made",
                    "Nodes were reserved for a pending task or gang, or its reservation was planned again; `overrunTask`"
                            + " is the task that ran longer than expected when the start was last put off."),
            entry("task.dropped", "A pending task was dropped: it never runs."),
            entry("task.ended", "A run of a task ended; `again` says whether another one follows."),
            entry("task.placed", "A task was allocated to a node; if `reserved`, it waits for its victims to end."),
            entry("task.released", "The victims of a reserved task have ended."),
            entry("task.resumed", "A suspended task continues."),
            entry("task.retrydue", "The delay before the next attempt has passed."),
            entry("task.started", "A run of a task started."),
            entry("task.stopping", "A task is to stop; if it was preempted, `for` is the task that takes its place."),
            entry("task.suspended", "A task was suspended."));

    @Test
    void events_reference_matchesViews() throws Exception {
        RandomRecords random = new RandomRecords(1);
        Map<String, Set<String>> details = new TreeMap<>();
        for (Class<?> kind : RandomRecords.kinds(Event.class)) {
            for (int i = 0; i < EVENTS_PER_TYPE; i++) {
                EventView view = EventViews.of(1, new Cause("test", "test"), random.event(kind));
                details.computeIfAbsent(view.type(), type -> new LinkedHashSet<>())
                        .addAll(view.data().keySet());
            }
        }
        assertThat(details.keySet()).containsExactlyInAnyOrderElementsOf(MEANINGS.keySet());

        StringBuilder table = new StringBuilder("| Type | Data | Meaning |\n| --- | --- | --- |\n");
        details.forEach((type, keys) -> table.append("| `%s` | %s | %s |\n"
                .formatted(
                        type,
                        keys.stream().sorted().map(key -> "`" + key + "`").collect(Collectors.joining(", ")),
                        MEANINGS.get(type))));
        GeneratedSections.check("rest.md", Map.of("events", table.toString()));
    }
}
