package dev.sluice.config.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.config.problem.ParseResult;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskConstraints;
import java.time.Instant;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Constraints of tasks and taints of nodes in files. */
class ConstraintsReaderTest {

    private static final String HEAD = "at: 2026-01-01T12:00:00Z\nnodes:\n- {name: n, capacity: {vcore: 1}}\n";
    private static final String TASK = HEAD + "applications:\n- id: a\n  queue: root.default\n  tasks:\n  - id: t\n";

    private static ParseResult<Snapshot> read(String text) {
        return SnapshotReader.read("s", text);
    }

    private static Constraints constraints(String task) {
        return read(TASK + task.indent(4))
                .value()
                .applications()
                .get(0)
                .tasks()
                .get(0)
                .spec()
                .constraints();
    }

    private static void check(String text, String... problems) {
        assertThat(read(text).report()).isEqualTo(String.join("\n", problems));
    }

    /** The example of Kubernetes' documentation, with its two kinds of node affinity. */
    @Test
    void affinity_asInPods_isRead() {
        Constraints read = constraints("""
                affinity:
                  nodeAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      nodeSelectorTerms:
                      - matchExpressions:
                        - key: topology.kubernetes.io/zone
                          operator: In
                          values:
                          - antarctica-east1
                          - antarctica-west1
                        matchFields:
                        - {key: metadata.name, operator: NotIn, values: [m]}
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - weight: 1
                      preference:
                        matchExpressions:
                        - key: another-node-label-key
                          operator: In
                          values:
                          - another-node-label-value
                """);

        assertThat(read.nodeAffinity().required())
                .hasToString("[NodeSelectorTerm[matchExpressions=[topology.kubernetes.io/zone in"
                        + " (antarctica-east1, antarctica-west1)], matchFields=[metadata.name notin (m)]]]");
        assertThat(read.nodeAffinity().preferred())
                .hasToString("[NodePreference[weight=1, preference=NodeSelectorTerm[matchExpressions="
                        + "[another-node-label-key in (another-node-label-value)], matchFields=[]]]]");
    }

    @Test
    void tolerations_asInPods_areRead() {
        Constraints read = constraints("""
                tolerations:
                - {key: key1, operator: Equal, value: value1, effect: NoExecute, tolerationSeconds: 3600}
                - {key: example-key, operator: Exists, effect: NoSchedule}
                - {key: plain, value: x}
                - {operator: Exists}
                """);

        assertThat(read.tolerations())
                .map(Object::toString)
                .containsExactly(
                        "Toleration[key=key1, operator=EQUAL, value=value1, effect=NO_EXECUTE, limit=PT1H]",
                        "Toleration[key=example-key, operator=EXISTS, value=, effect=NO_SCHEDULE, limit=null]",
                        "Toleration[key=plain, operator=EQUAL, value=x, effect=null, limit=null]",
                        "Toleration[key=null, operator=EXISTS, value=, effect=null, limit=null]");
    }

    @Test
    void taints_ofNodes_areRead() {
        Snapshot snapshot = read("""
                at: 2026-01-01T12:00:00Z
                nodes:
                - name: n
                  count: 2
                  capacity: {vcore: 1}
                  taints:
                  - {key: gpu, value: "yes", effect: NoSchedule}
                  - {key: drain, effect: NoExecute, timeAdded: 2026-01-01T11:00:00Z}
                """).value();

        assertThat(snapshot.nodes().get(0).taints())
                .containsExactly(
                        new Taint("gpu", "yes", TaintEffect.NO_SCHEDULE),
                        new Taint("drain", "", TaintEffect.NO_EXECUTE, Instant.parse("2026-01-01T11:00:00Z")));
    }

    /** Earlier releases selected nodes with this key. */
    @Test
    void labelsOfTask_ofNodesToo_areWarnedAbout() {
        String labelled = HEAD.replace("1}}", "1}, labels: {disk: ssd, zone: a}}");
        String tasks = TASK.substring(HEAD.length());
        assertThat(read(labelled + tasks + "    labels: {disk: ssd}\n").warnings())
                .hasToString(
                        "[s:9:5: labels are those of the task itself and select no nodes: to require nodes with these"
                                + " labels, write nodeSelector]");
        assertThat(read(labelled + tasks + "    labels: {disk: ssd, app: web}\n")
                        .warnings())
                .isEmpty();
        assertThat(read(labelled + tasks + "    labels: {disk: ssd}\n    nodeSelector: {disk: ssd}\n")
                        .warnings())
                .isEmpty();
    }

    /** The examples of Kubernetes' documentation. */
    @Test
    void taskConstraints_asInPods_areRead() {
        TaskConstraints read = constraints("""
                labels: {app: web}
                affinity:
                  podAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                    - labelSelector:
                        matchExpressions:
                        - key: security
                          operator: In
                          values:
                          - S1
                      topologyKey: topology.kubernetes.io/zone
                  podAntiAffinity:
                    preferredDuringSchedulingIgnoredDuringExecution:
                    - weight: 100
                      podAffinityTerm:
                        labelSelector:
                          matchLabels: {security: S2}
                        topologyKey: topology.kubernetes.io/zone
                topologySpreadConstraints:
                - maxSkew: 1
                  minDomains: 3
                  topologyKey: zone
                  whenUnsatisfiable: DoNotSchedule
                  labelSelector: {matchLabels: {foo: bar}}
                - {maxSkew: 2, topologyKey: node, whenUnsatisfiable: ScheduleAnyway, labelSelector: {}, nodeAffinityPolicy: Ignore, nodeTaintsPolicy: Honor}
                ports: [{hostPort: 8080}, {hostPort: 53, protocol: UDP, hostIP: 127.0.0.1}]
                pernode: 2
                """).tasks();

        assertThat(read.toString().replace("application.", ""))
                .isEqualTo("TaskConstraints[labels={app=web}, affinity=TaskAffinity[required=["
                        + "topology.kubernetes.io/zone: security in (S1)], preferred=[]],"
                        + " antiAffinity=TaskAffinity[required=[], preferred=[TaskPreference[weight=100,"
                        + " term=topology.kubernetes.io/zone: security in (S2)]]],"
                        + " spread=[TopologySpread[maxSkew=1, topologyKey=zone, required=true, selector=foo in (bar),"
                        + " minDomains=3, honorAffinity=true, honorTaints=false], TopologySpread[maxSkew=2,"
                        + " topologyKey=node, required=false, selector=any task, minDomains=1, honorAffinity=false,"
                        + " honorTaints=true]], ports=[8080, 127.0.0.1:53/UDP], perNode=2]");
    }

    @Test
    void taskConstraints_invalid_areReportedWithCure() {
        check(
                TASK + "    affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                        + " [{topologyKey: zone, namespaces: [a]}]}}\n",
                "s:9:79: a labelSelector is missing, such as labelSelector: {matchLabels: {app: web}};"
                        + " write labelSelector: {} for all tasks",
                "s:9:99: namespaces of a pod affinity term is not supported: tasks of all applications of the"
                        + " partition count; remove it (see docs/reference/snapshot.md)");
        check(
                TASK + spread("maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}"),
                "s:9:43: 0 is out of range: must be a whole number from 1 to 2147483647");
        check(
                TASK
                        + spread("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {},"
                                + " minDomains: 2"),
                "s:9:33: minDomains needs whenUnsatisfiable: DoNotSchedule");
        check(
                TASK
                        + spread("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {},"
                                + " matchLabelKeys: [a]"),
                "s:9:118: matchLabelKeys of a topology spread constraint is not supported: add the label and its"
                        + " value to labelSelector (see docs/reference/snapshot.md)");
        check(
                TASK
                        + spread("maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector:"
                                + " {matchExpressions: [{key: a, operator: Gt, values: [\"1\"]}]}"),
                "s:9:134: a labelSelector compares with In, NotIn, Exists or DoesNotExist, not with Gt");
        check(
                TASK + "    ports: [{hostPort: 70000}]\n",
                "s:9:24: 70000 is out of range: must be a whole number from 1 to 65535");
        check(TASK + "    pernode: 0\n", "s:9:14: 0 is out of range: must be a whole number from 1 to 2147483647");
    }

    private static String spread(String constraint) {
        return "    topologySpreadConstraints: [{" + constraint + "}]\n";
    }

    @Test
    void constraints_invalid_areReportedWithCure() {
        check(
                TASK
                        + "    tolerations: [{key: a, operator: Exists, value: b}, {value: b}, {key: a, tolerationSeconds: 5}]\n",
                "s:9:19: a toleration with the operator Exists has no value",
                "s:9:57: a toleration without a key needs the operator Exists",
                "s:9:69: tolerationSeconds needs the effect NoExecute");
        check(
                TASK
                        + "    affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}}\n",
                "s:9:99: no term is listed: add one, or remove requiredDuringSchedulingIgnoredDuringExecution");
        check(
                TASK + preferred("{weight: 0, preference: {}}"),
                "s:9:90: 0 is out of range: must be a whole number from 1 to 100");
        check(
                TASK + preferred("{weight: 1, preference: {matchExpressions: [{key: a, operator: Gt, values: [4]}]}}"),
                "s:9:157: 4 is a number, not text: write \"4\" in quotes");
        check(
                TASK + preferred("{weight: 1, preference: {matchExpressions: [{key: a, operator: Gt, values: [x]}]}}"),
                "s:9:156: operator Gt needs one value, an integer such as \"4\"");
        check(
                TASK + preferred("{weight: 1, preference: {matchFields: [{key: zone, operator: In, values: [x]}]}}"),
                "s:9:120: a field must be metadata.name with the operator In or NotIn and one value: zone in (x)");
        check(
                HEAD.replace(
                        "1}}", "1}, taints: [{key: a, effect: NoSchedule}, {key: a, value: b, effect: NoSchedule}]}"),
                "s:3:43: duplicate taint a:NoSchedule: a node has at most one with this key and effect");
        check(
                HEAD.replace("1}}", "1}, taints: [{key: a, effect: NoSchedul}]}"),
                "s:3:61: unknown effect of a taint \"NoSchedul\": did you mean \"NoSchedule\"?");
    }

    /** Each preference is evaluated for each node. */
    @Test
    void preferences_moreThanTheMaximum_areRefused() {
        String preference = "{weight: 1, preference: {matchExpressions: [{key: a, operator: Exists}]}}";
        check(TASK + preferred(String.join(", ", Collections.nCopies(100, preference))));
        check(
                TASK + preferred(String.join(", ", Collections.nCopies(101, preference))),
                "s:9:80: at most 100 preferences are allowed, not 101");
    }

    private static String preferred(String preference) {
        return "    affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" + preference
                + "]}}\n";
    }
}
