package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.application.TopologySpread;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where a pod may run, by "Assigning Pods to Nodes", "Taints and Tolerations" and "Pod Topology Spread Constraints" of
 * Kubernetes' documentation. What the constraints mean is tested in {@code core}.
 */
final class PodConstraintsTest {

    private static Constraints constraints(String spec) {
        PodTranslation pod =
                PodTranslation.of(Manifests.pod("labels: {app: web, version: v2}", "containers: [{name: c}], " + spec));
        assertThat(pod.refusals()).isEmpty();
        return pod.task().constraints();
    }

    private static boolean permits(String spec, String labels) {
        return constraints(spec).permits("n", TextMap.copyOf(map(labels)), List.of());
    }

    private static Map<String, String> map(String labels) {
        return labels.isEmpty() ? Map.of() : Map.of(labels.split("=")[0], labels.split("=")[1]);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{key: disk, operator: In, values: [ssd, nvme]} | disk=ssd | disk=hdd",
                "{key: disk, operator: NotIn, values: [ssd]}    | disk=hdd | disk=ssd",
                "{key: disk, operator: Exists}                  | disk=hdd | cpu=x",
                "{key: disk, operator: DoesNotExist}            | cpu=x    | disk=hdd",
                "{key: gen, operator: Gt, values: [\"4\"]}      | gen=5    | gen=4",
                "{key: gen, operator: Lt, values: [\"4\"]}      | gen=3    | gen=4",
            })
    void requiredNodeAffinity_hasAllOperators(String expression, String eligible, String excluded) {
        String spec = "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                + "{nodeSelectorTerms: [{matchExpressions: [" + expression + "]}]}}}";
        assertThat(permits(spec, eligible)).isTrue();
        assertThat(permits(spec, excluded)).isFalse();
    }

    @Test
    void terms_areAlternatives_andFieldsNameNodes() {
        String spec = """
                affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                  {matchFields: [{key: metadata.name, operator: In, values: [m]}]},
                  {matchExpressions: [{key: disk, operator: Exists}]}]}}}""";
        assertThat(permits(spec, "")).isFalse();
        assertThat(permits(spec, "disk=ssd")).isTrue();
        assertThat(constraints(spec).permits("m", TextMap.EMPTY, List.of())).isTrue();
    }

    @Test
    void nodeSelector_isRequired() {
        assertThat(permits("nodeSelector: {disk: ssd}", "disk=ssd")).isTrue();
        assertThat(permits("nodeSelector: {disk: ssd}", "disk=hdd")).isFalse();
    }

    @Test
    void preferences_areWeighted() {
        Constraints preferring = constraints("""
                affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
                  {weight: 7, preference: {matchExpressions: [{key: disk, operator: In, values: [ssd]}]}}]}}""");
        assertThat(preferring.rank("n", TextMap.copyOf(Map.of("disk", "ssd")), List.of()))
                .isEqualTo(7);
        assertThat(preferring.rank("n", TextMap.EMPTY, List.of())).isZero();
    }

    /** Whether a pod with one toleration starts on a node with the taint {@code gpu=yes:NoSchedule}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                    | false",
                "{key: gpu, operator: Exists}                          | true",
                "{key: gpu, value: \"yes\"}                            | true",
                "{key: gpu, operator: Equal, value: \"yes\", effect: NoSchedule} | true",
                "{key: gpu, value: \"no\"}                             | false",
                "{key: gpu, operator: Exists, effect: NoExecute}       | false",
                "{operator: Exists}                                    | true",
                "{key: '', operator: Exists, effect: ''}               | true",
            })
    void toleration_isTakenOver(String toleration, boolean starts) {
        Taint taint = new Taint("gpu", "yes", TaintEffect.NO_SCHEDULE);
        assertThat(constraints("tolerations: [" + (toleration.equals("''") ? "" : toleration) + "]")
                        .permits("n", TextMap.EMPTY, List.of(taint)))
                .isEqualTo(starts);
    }

    @Test
    void tolerationSeconds_limitHowLongItStays() {
        assertThat(constraints(
                                "tolerations: [{key: gone, operator: Exists, effect: NoExecute, tolerationSeconds: 300}]")
                        .tolerations()
                        .get(0)
                        .limit())
                .hasSeconds(300);
    }

    /** Which pods a term of a pod in the namespace team-a is about: labels of a pod, with its namespace. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "labelSelector: {matchLabels: {app: web}}                             | team-a app=web | true",
                "labelSelector: {matchLabels: {app: web}}                             | team-a app=db  | false",
                "labelSelector: {matchLabels: {app: web}}                             | team-b app=web | false",
                "labelSelector: {matchLabels: {app: web}}, namespaces: [team-b]       | team-b app=web | true",
                "labelSelector: {matchLabels: {app: web}}, namespaces: [team-b]       | team-a app=web | false",
                "labelSelector: {matchLabels: {app: web}}, namespaceSelector: {}      | team-c app=web | true",
                "labelSelector: {}                                                    | team-a app=db  | true",
                // a selector that is missing selects no pod
                "namespaces: [team-a]                                                 | team-a app=web | false",
                "labelSelector: {}, matchLabelKeys: [version]                         | team-a version=v2 | true",
                "labelSelector: {}, matchLabelKeys: [version]                         | team-a version=v1 | false",
                "labelSelector: {}, mismatchLabelKeys: [version]                      | team-a version=v1 | true",
                "labelSelector: {}, mismatchLabelKeys: [version]                      | team-a version=v2 | false",
                "labelSelector: {}, matchLabelKeys: [absent]                          | team-a app=db  | true",
                "labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: [web]}]} | team-a app=db | true",
            })
    void podAffinity_isLimitedToNamespaces(String term, String pod, boolean selected) {
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            String spec = "affinity: {" + kind
                    + ": {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, "
                    + term + "}], preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, podAffinityTerm: "
                    + "{topologyKey: zone, " + term + "}}]}}";
            Constraints constraints = constraints(spec);
            var affinity = kind.equals("podAffinity")
                    ? constraints.tasks().affinity()
                    : constraints.tasks().antiAffinity();
            String[] parts = pod.split(" ");
            var labels = PodTranslation.of(Manifests.pod(
                            "namespace: " + parts[0] + ", labels: {" + parts[1].replace("=", ": ") + "}",
                            "containers: []"))
                    .task()
                    .constraints()
                    .tasks()
                    .labels();
            TaskTerm required = affinity.required().get(0);
            assertThat(required.topologyKey()).isEqualTo("zone");
            assertThat(required.selector().matches(labels)).isEqualTo(selected);
            assertThat(affinity.preferred().get(0).weight()).isEqualTo(3);
            assertThat(affinity.preferred().get(0).term()).isEqualTo(required);
        }
    }

    @Test
    void spread_hasDefaultsOfKubernetes() {
        TopologySpread spread = constraints("""
                topologySpreadConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,
                  labelSelector: {matchLabels: {app: web}}}]""").tasks().spread().get(0);
        assertThat(spread).isEqualTo(new TopologySpread(2, "zone", true, spread.selector(), 1, true, false));
        assertThat(spread.selector()).hasToString("app in (web), sluice.dev/namespace in (team-a)");
    }

    @Test
    void spread_takesOverAllFields() {
        TopologySpread spread = constraints("""
                topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway,
                  nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor, matchLabelKeys: [version]}]""").tasks().spread().get(0);
        assertThat(spread.required()).isFalse();
        assertThat(spread.honorAffinity()).isFalse();
        assertThat(spread.honorTaints()).isTrue();
        assertThat(constraints("""
                topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,
                  minDomains: 3, matchLabelKeys: [version], labelSelector: {}}]""").tasks().spread().get(0))
                .returns(3, TopologySpread::minDomains)
                .extracting(each -> each.selector().toString())
                .isEqualTo("sluice.dev/namespace in (team-a), version in (v2)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "containers: [{name: c, ports: [{containerPort: 80, hostPort: 8080}]}]               | 8080",
                "containers: [{name: c, ports: [{containerPort: 80}]}]                               | ''",
                "containers: [{name: c, ports: [{containerPort: 80, hostPort: 0}]}]                  | ''",
                "containers: [{name: c, ports: [{containerPort: 80}]}], hostNetwork: true            | 80",
                "containers: [{name: c, ports: [{hostPort: 53, protocol: UDP, hostIP: 10.0.0.1}]}]   | 10.0.0.1:53/UDP",
                "containers: [{name: c}], initContainers: [{name: i, ports: [{hostPort: 1}]}]        | ''",
                "containers: [{name: c}], initContainers: [{name: i, restartPolicy: Always, ports: [{hostPort: 1}]}] | 1",
            })
    void hostPorts_areThoseOfRunningContainers(String spec, String ports) {
        assertThat(PodTranslation.of(Manifests.pod("", spec))
                        .task()
                        .constraints()
                        .tasks()
                        .ports()
                        .toString())
                .isEqualTo("[" + (ports.equals("''") ? "" : ports) + "]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tolerations: [{key: a, operator: Gt, value: \"5\"}] | spec.tolerations: operator Gt is not supported: use Equal or Exists",
                "tolerations: [{key: a, operator: Exists, effect: Drain}] | spec.tolerations: effect Drain is not supported",
                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Like, values: [b]}]}]}}} | spec.affinity.nodeAffinity.matchExpressions: a: operator Like is not supported",
                "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, labelSelector: {}, namespaceSelector: {matchLabels: {a: b}}}]}} | spec.affinity.podAffinity: a namespaceSelector with conditions is not supported: list namespaces, or select all with {}",
                "topologySpreadConstraints: [{maxSkew: 0, topologyKey: z, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}] | spec: maxSkew must be at least 1",
            })
    void unknownConstraint_isRefused(String spec, String refusal) {
        assertThat(PodTranslation.of(Manifests.pod("", "containers: [], " + spec))
                        .refusals())
                .containsExactly(refusal);
    }
}
