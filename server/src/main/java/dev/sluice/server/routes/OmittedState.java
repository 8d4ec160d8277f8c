package dev.sluice.server.routes;

import dev.sluice.config.snapshot.ApplicationEntry;
import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerState;
import dev.sluice.core.state.StateRestorer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a snapshot leaves out of the state although submissions depend on it: ended applications with the id of an entry
 * or that an entry starts after, and the last numbers of names.
 */
record OmittedState(List<Ended> ended, List<Numbered> numbered) {

    OmittedState {
        ended = List.copyOf(ended);
        numbered = List.copyOf(numbered);
    }

    /** @param name the name if it is the newest application of this name, otherwise the id */
    private record Ended(
            String partition, String id, String name, Instant submitted, ApplicationState state, Instant since) {}

    private record Numbered(String partition, String name, long last) {}

    /** Returns what the submission of these entries depends on; takes about as long as the submission. */
    static OmittedState of(SchedulerState state, List<ApplicationEntry> entries) {
        List<Numbered> numbered = new ArrayList<>();
        Map<String, Set<String>> referenced = new LinkedHashMap<>();
        for (ApplicationEntry entry : entries) {
            Partition partition = state.partition(entry.partition());
            if (partition != null) {
                Set<String> references = referenced.computeIfAbsent(partition.name(), name -> new LinkedHashSet<>());
                references.addAll(entry.start().after().keySet());
                if (entry.numbered()) {
                    long next = partition.nextNumber(entry.name());
                    numbered.add(new Numbered(partition.name(), entry.name(), next - 1));
                } else {
                    references.add(entry.id());
                }
            }
        }
        List<Ended> ended = new ArrayList<>();
        for (Partition partition : state.partitions()) {
            ended.addAll(ended(partition, referenced.getOrDefault(partition.name(), Set.of())));
        }
        return new OmittedState(ended, numbered);
    }

    /** Returns the ended applications with these ids, or the newest ones of these names. */
    private static List<Ended> ended(Partition partition, Set<String> idsOrNames) {
        Map<String, Ended> ended = new LinkedHashMap<>();
        Set<String> names = new HashSet<>();
        for (String each : idsOrNames) {
            Application application = partition.application(each);
            if (application == null) {
                names.add(each);
            } else if (application.state().isEnded()) {
                ended.put(each, ended(application, each));
            }
        }
        Map<String, Application> newest = new LinkedHashMap<>();
        for (Application each : names.isEmpty() ? List.<Application>of() : partition.applications()) {
            if (names.contains(each.spec().name())) {
                newest.put(each.spec().name(), each);
            }
        }
        newest.forEach((name, application) -> {
            if (application.state().isEnded()) {
                ended.put(application.id(), ended(application, name));
            }
        });
        return List.copyOf(ended.values());
    }

    private static Ended ended(Application application, String name) {
        return new Ended(
                application.partition(),
                application.id(),
                name,
                application.submitted(),
                application.state(),
                application.stateSince());
    }

    /** Adds this to the state that was loaded from the snapshot. */
    void restore(SchedulerState state) {
        for (Ended each : ended) {
            new StateRestorer(state, each.partition())
                    .addEnded(
                            ApplicationSpec.open(each.id(), null).withName(each.name()),
                            each.submitted(),
                            each.state(),
                            each.since());
        }
        for (Numbered each : numbered) {
            new StateRestorer(state, each.partition()).setLastNumber(each.name(), each.last());
        }
    }
}
