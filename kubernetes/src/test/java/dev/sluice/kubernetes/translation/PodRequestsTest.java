package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a pod requests, by the rules in "Init Containers", "Sidecar Containers", "Pod Overhead", "Pod-level resources"
 * and "Resize CPU and Memory Resources" of Kubernetes' documentation.
 */
final class PodRequestsTest {

    private static String container(String requests) {
        return "{name: a, resources: {requests: {" + requests + "}}}";
    }

    /**
     * Containers, init containers and sidecars by their cores, in order; {@code s} marks a restartable init container.
     */
    @ParameterizedTest
    @CsvSource({
        "1 2,         '',          3",
        "1,           5,           5",
        "6,           5,           6",
        // a sidecar runs beside the containers
        "1 2,         s4,          7",
        // and beside init containers that start after it
        "1,           s2 5,        7",
        // but not beside those before it
        "1,           5 s2,        5",
        "1,           s1 4 s2 6,   9",
        "20,          s1 4 s2 6,   23",
        // two sidecars alone
        "0,           s3 s4,       7",
    })
    void initContainers_andSidecars_countWhenTheyRun(String containers, String inits, String cores) {
        StringBuilder spec = new StringBuilder("containers: [");
        for (String each : containers.split(" ")) {
            spec.append(container("cpu: " + each)).append(", ");
        }
        spec.append("], initContainers: [");
        for (String each : inits.isEmpty() ? new String[0] : inits.split(" ")) {
            boolean sidecar = each.startsWith("s");
            spec.append("{name: i, resources: {requests: {cpu: ")
                    .append(sidecar ? each.substring(1) : each)
                    .append("}}")
                    .append(sidecar ? ", restartPolicy: Always" : "")
                    .append("}, ");
        }
        assertThat(PodRequests.of(Manifests.pod("", spec.append("]").toString())))
                .hasToString("vcore " + cores);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // cores in thousandths, everything else in whole units, rounded up once for the sum
                "'cpu: 250m, memory: 1Gi'            | ''                               | 'memory 1Gi, vcore 250m'",
                "'cpu: 0.1'                          | ''                               | 'vcore 100m'",
                "'cpu: 1500u'                        | ''                               | 'vcore 2m'",
                "'memory: 128974848'                 | ''                               | 'memory 123Mi, vcore 0'",
                "'memory: 129e6'                     | ''                               | 'memory 129M, vcore 0'",
                "'memory: 1500m'                     | ''                               | 'memory 2, vcore 0'",
                "'nvidia.com/gpu: 2'                 | ''                               | 'nvidia.com/gpu 2, vcore 0'",
                "'hugepages-2Mi: 4Mi'                | ''                               | 'hugepages-2Mi 4194304, vcore 0'",
                "'ephemeral-storage: 1Gi'            | ''                               | 'ephemeral-storage 1073741824, vcore 0'",
                // a pod that requests nothing gets no default
                "''                                  | ''                               | 'vcore 0'",
                "'cpu: 1'                            | 'overhead: {cpu: 250m, memory: 120Mi}' | 'memory 120Mi, vcore 1250m'",
                // requests of the pod replace the sum of its containers, overhead comes on top
                "'cpu: 1, memory: 1Gi'               | 'resources: {requests: {cpu: 3}}' | 'memory 1Gi, vcore 3'",
                "'cpu: 1'                            | 'resources: {requests: {cpu: 3}}, overhead: {cpu: 1}' | 'vcore 4'",
            })
    void quantities_areInBaseUnits(String requests, String more, String expected) {
        String spec = "containers: [" + container(requests) + "]" + (more.isEmpty() ? "" : ", " + more);
        assertThat(PodRequests.of(Manifests.pod("", spec))).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource({
        // wanted, allocated, in use, reason why a resize is pending
        "2, 1, 1, Deferred, 2",
        "1, 2, 1, '', 2",
        "1, 1, 2, '', 2",
        "4, 1, 1, Infeasible, 1",
    })
    void resize_countsTheLarger_unlessItIsInfeasible(
            String wanted, String allocated, String used, String reason, String cores) {
        String yaml = """
                spec: {containers: [{name: a, resources: {requests: {cpu: %s}}}]}
                status:
                  containerStatuses:
                  - {name: a, allocatedResources: {cpu: %s}, resources: {requests: {cpu: %s}}}
                  conditions: [{type: PodResizePending, status: "True", reason: "%s"}]
                """.formatted(wanted, allocated, used, reason);
        assertThat(PodRequests.of(Manifests.pod(yaml))).hasToString("vcore " + cores);
    }

    @Test
    void hugeRequest_isBounded() {
        assertThat(PodRequests.of(Manifests.pod("", "containers: [" + container("memory: 100E") + "]"))
                        .amount("memory")
                        .value())
                .isEqualTo(1L << 61);
    }
}
