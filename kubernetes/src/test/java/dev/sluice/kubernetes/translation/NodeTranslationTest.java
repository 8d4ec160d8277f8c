package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Taint;
import dev.sluice.core.resource.Resources;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node has, by "Node status", "Taints and Tolerations" and "Reserve Compute Resources" of Kubernetes. */
final class NodeTranslationTest {

    private static final String READY = "conditions: [{type: Ready, status: \"True\"}]";

    @Test
    void allocatable_notCapacity_isUsed() {
        NodeDescription node = NodeTranslation.describe(Manifests.node("""
                metadata: {labels: {disk: ssd, kubernetes.io/os: linux}}
                status:
                  allocatable: {cpu: 3920m, memory: 14Gi, pods: 110, nvidia.com/gpu: 4, hugepages-1Gi: 0}
                  capacity: {cpu: 4, memory: 16Gi, pods: 110, nvidia.com/gpu: 4, hugepages-1Gi: 0}
                  conditions: [{type: Ready, status: "True"}]
                """));
        assertThat(node.capacity()).hasToString("memory 14Gi, nvidia.com/gpu 4, slots 110, vcore 3920m");
        assertThat(node.labels()).isEqualTo(Map.of("disk", "ssd", "kubernetes.io/os", "linux"));
        assertThat(node.taints()).isEmpty();
    }

    @Test
    void nodeWithoutStatus_hasNothing() {
        NodeDescription node = NodeTranslation.describe(Manifests.node("{}"));
        assertThat(node.capacity()).hasToString("slots 0, vcore 0");
        assertThat(node.taints())
                .extracting(Taint::toString)
                .containsExactly("node.kubernetes.io/not-ready:NoSchedule");
    }

    /** Conditions and the taints that the node lifecycle controller adds for them. */
    @ParameterizedTest
    @CsvSource({
        "Ready,              True,    ''",
        "Ready,              False,   not-ready",
        "Ready,              Unknown, unreachable",
        "MemoryPressure,     True,    memory-pressure",
        "MemoryPressure,     False,   ''",
        "DiskPressure,       True,    disk-pressure",
        "PIDPressure,        True,    pid-pressure",
        "NetworkUnavailable, True,    network-unavailable",
        "NetworkUnavailable, Unknown, ''",
        "FrequentReboot,     True,    ''",
    })
    void condition_becomesTaint(String type, String status, String taint) {
        String ready = type.equals("Ready") ? "" : "{type: Ready, status: \"True\"}, ";
        NodeDescription node = NodeTranslation.describe(Manifests.node(
                "{status: {conditions: [" + ready + "{type: " + type + ", status: \"" + status + "\"}]}}"));
        assertThat(taints(node)).isEqualTo(taint.isEmpty() ? "" : "node.kubernetes.io/" + taint + ":NoSchedule");
    }

    @Test
    void cordon_becomesTaint_once() {
        String cordon = "node.kubernetes.io/unschedulable:NoSchedule";
        assertThat(taints(NodeTranslation.describe(
                        Manifests.node("{spec: {unschedulable: true}, status: {" + READY + "}}"))))
                .isEqualTo(cordon);
        assertThat(taints(NodeTranslation.describe(Manifests.node("""
                        spec:
                          unschedulable: true
                          taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]
                        status: {conditions: [{type: Ready, status: "True"}]}
                        """)))).isEqualTo(cordon);
    }

    @Test
    void taints_areTakenOver() {
        NodeDescription node = NodeTranslation.describe(Manifests.node("""
                spec:
                  taints:
                  - {key: gpu, value: "yes", effect: NoSchedule, timeAdded: "2026-01-01T00:00:00Z"}
                  - {key: old, effect: PreferNoSchedule}
                  - {key: leave, effect: NoExecute, timeAdded: "2026-01-01T00:00:00Z"}
                  - {key: new, effect: NoScheduleNoAdmit}
                status: {conditions: [{type: Ready, status: "True"}]}
                """));
        assertThat(taints(node)).isEqualTo("gpu=yes:NoSchedule old:PreferNoSchedule leave:NoExecute new:NoSchedule");
        assertThat(node.taints().get(2).timeAdded()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void otherPods_reduceCapacity_notBelowNothing() {
        NodeDescription node = NodeTranslation.describe(
                Manifests.node("{status: {allocatable: {cpu: 4, memory: 1Gi, pods: 10}, " + READY + "}}"));
        assertThat(node.without(Resources.parse("vcore", "1500m", "memory", "2Gi", "gpu", "1"), 3)
                        .capacity())
                .hasToString("memory 0, slots 7, vcore 2500m");
    }

    private static String taints(NodeDescription node) {
        return node.taints().stream().map(Taint::toString).collect(Collectors.joining(" "));
    }
}
