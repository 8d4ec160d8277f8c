package dev.sluice.kubernetes.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.binding.PodRef;
import dev.sluice.kubernetes.reporting.PendingPod;
import dev.sluice.kubernetes.translation.Manifests;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods are counted in one queue each, attempts once per change. */
final class PodSchedulingTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final PodRef POD = new PodRef("team-a", "p", "u1");

    private final List<String> values = new ArrayList<>();
    private final PodScheduling scheduling = new PodScheduling(new SchedulingListener() {
        @Override
        public void attempted(Result result, String profile) {
            values.add(profile + " " + result.label());
        }

        @Override
        public void scheduled(Duration duration, int attempts) {
            values.add(duration.toSeconds() + " s, " + attempts + " attempts");
        }
    });

    private void observe(String spec, int seconds) {
        scheduling.observed(
                Manifests.pod("{metadata: {name: p, uid: u1}, spec: {schedulerName: yunikorn, " + spec + "}}"),
                NOW.plusSeconds(seconds));
    }

    private static PendingPod pending(String kind, String message) {
        return new PendingPod(POD, kind, false, message, null);
    }

    private String pending() {
        return scheduling.pending().toString();
    }

    @Test
    void pod_isCountedFromItsGatesToItsNode() {
        observe("schedulingGates: [{name: g}]", 0);
        assertThat(pending()).isEqualTo("{ACTIVE=0, BACKOFF=0, UNSCHEDULABLE=0, GATED=1}");
        observe("", 10);
        assertThat(pending()).isEqualTo("{ACTIVE=1, BACKOFF=0, UNSCHEDULABLE=0, GATED=0}");
        scheduling.explained(pending("quota", "1 missing"));
        scheduling.explained(pending("quota", "2 missing"));
        assertThat(pending()).isEqualTo("{ACTIVE=0, BACKOFF=0, UNSCHEDULABLE=1, GATED=0}");
        scheduling.explained(pending("retry-delay", "later"));
        assertThat(pending()).isEqualTo("{ACTIVE=0, BACKOFF=1, UNSCHEDULABLE=0, GATED=0}");
        scheduling.explained(pending("next-cycle", "soon"));
        assertThat(pending()).isEqualTo("{ACTIVE=1, BACKOFF=0, UNSCHEDULABLE=0, GATED=0}");
        scheduling.bindingFailed(POD);
        observe("nodeName: n", 40);
        scheduling.bound(POD, NOW.plusSeconds(42));
        assertThat(pending()).isEqualTo("{ACTIVE=0, BACKOFF=0, UNSCHEDULABLE=0, GATED=0}");
        assertThat(values)
                .containsExactly(
                        "yunikorn unschedulable",
                        "yunikorn unschedulable",
                        "yunikorn error",
                        "yunikorn scheduled",
                        "30 s, 4 attempts");
    }

    @Test
    void podsThatAreBoundOrGone_areNotCounted() {
        observe("nodeName: n", 0);
        assertThat(pending()).doesNotContain("=1");
        scheduling.bound(POD, NOW);
        scheduling.explained(pending("quota", "full"));
        scheduling.bindingFailed(POD);
        assertThat(values).isEmpty();
        observe("", 0);
        scheduling.removed("u1");
        scheduling.removed("u1");
        assertThat(pending()).doesNotContain("1");
    }
}
