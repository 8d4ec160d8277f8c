package dev.sluice.kubernetes.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.translation.Manifests;
import org.junit.jupiter.api.Test;

/** Tasks are protected from preemption by the priority class of their pods, whichever is seen first. */
final class PriorityClassTest {

    private static final String PROTECTED = "yunikorn.apache.org/allow-preemption: \"false\"";
    private static final String CLASS = "priorityClassName: batch";

    private final Cluster cluster = new Cluster();

    private void pod(String name, String metadata) {
        cluster.pod(name, "sluice", "1", "labels: {applicationId: job}, " + metadata, CLASS, "");
    }

    private boolean isPreemptible(String pod) {
        cluster.follow();
        return cluster.task("job", pod).kind().attempts().preemptible();
    }

    @Test
    void classBeforePod_protects() {
        cluster.view.put(Manifests.priorityClass("batch", PROTECTED));
        cluster.view.put(Manifests.priorityClass("other", ""));
        pod("p", "");
        assertThat(isPreemptible("p")).isFalse();
    }

    @Test
    void classAfterPod_protects() {
        pod("p", "");
        pod("own", "annotations: {yunikorn.apache.org/allow-preemption: \"true\"}");
        cluster.view.put(Manifests.priorityClass("batch", PROTECTED));
        assertThat(isPreemptible("p")).isFalse();
        assertThat(isPreemptible("own")).isTrue();
    }

    @Test
    void classWithoutTheAnnotation_orRemoved_protectsNobody() {
        cluster.view.put(Manifests.priorityClass("batch", PROTECTED));
        pod("p", "");
        cluster.view.put(Manifests.priorityClass("batch", ""));
        assertThat(isPreemptible("p")).isTrue();
        cluster.view.put(Manifests.priorityClass("batch", PROTECTED));
        pod("q", "");
        cluster.view.removePriorityClass("batch");
        assertThat(isPreemptible("q")).isTrue();
    }

    @Test
    void removedPod_isForgotten() {
        pod("p", "");
        cluster.view.removePod("u-p");
        cluster.view.put(Manifests.priorityClass("batch", PROTECTED));
        assertThat(cluster.follow()).isEmpty();
    }
}
