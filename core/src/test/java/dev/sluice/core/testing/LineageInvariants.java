package dev.sluice.core.testing;

import static dev.sluice.core.testing.StateAssertions.isTrue;
import static dev.sluice.core.testing.StateAssertions.same;

import dev.sluice.core.application.ApplicationState;
import dev.sluice.core.state.Application;
import dev.sluice.core.state.Lineage;
import dev.sluice.core.state.Partition;
import dev.sluice.core.state.SchedulerLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Invariants of lineages: they list the live applications and do not exceed the retention limit. */
final class LineageInvariants {

    private LineageInvariants() {}

    /** Checks that live applications, and only those, are listed under their tag and basis, in submission order. */
    static void check(Partition partition) {
        Map<String, List<Application>> byBasis = new TreeMap<>();
        Map<List<String>, List<Application>> byTag = new LinkedHashMap<>();
        for (Application application : partition.applications()) {
            String user = application.spec().user();
            String tag = application.spec().tag();
            String basis = application.spec().basis();
            boolean lives = application.hasQueue()
                    && !application.state().isEnded()
                    && application.state() != ApplicationState.FAILING;
            if (tag != null) {
                List<Application> tagged = byTag.computeIfAbsent(List.of(user, tag), key -> new ArrayList<>());
                if (lives) {
                    tagged.add(application);
                }
            }
            if (basis != null && lives) {
                byBasis.computeIfAbsent(user + "/" + basis, key -> new ArrayList<>())
                        .add(application);
            }
        }
        byTag.forEach((key, applications) -> same(
                key,
                "live applications with this tag",
                List.copyOf(partition.lineages().living(key.get(0), key.get(1))),
                applications));
        int idle = 0;
        for (Lineage lineage : partition.lineages().all()) {
            List<Application> living = byBasis.remove(lineage.toString());
            same(lineage, "living", List.copyOf(lineage.living()), living == null ? List.of() : living);
            same(
                    lineage,
                    "live applications with other tags",
                    lineage.livingExcept(lineage.tag()),
                    lineage.living().stream()
                            .filter(application ->
                                    !lineage.tag().equals(application.spec().tag()))
                            .toList());
            same(lineage, "successor of the current tag", lineage.successor(lineage.tag()), null);
            isTrue(lineage, "tags within the limit", lineage.successors().size() <= SchedulerLimits.LINEAGE_TAGS_MAX);
            same(
                    lineage,
                    "found by user and basis",
                    partition.lineages().find(lineage.user(), lineage.basis()),
                    lineage);
            idle += living == null ? 1 : 0;
        }
        isTrue(
                partition.name(),
                "lineages within the limit",
                byBasis.isEmpty() && idle <= SchedulerLimits.LINEAGES_IDLE_MAX);
    }
}
