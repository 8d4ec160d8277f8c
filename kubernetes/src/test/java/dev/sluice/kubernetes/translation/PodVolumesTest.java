package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nodes of pods with claimed volumes, and why they wait, by "Persistent Volumes", "Storage Classes" and "Ephemeral
 * Volumes" of Kubernetes and the plugins VolumeBinding, VolumeZone and VolumeRestrictions of kube-scheduler.
 */
final class PodVolumesTest {

    private static final String POD = "containers: [], volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";
    private static final String BOUND = "pv.kubernetes.io/bind-completed: \"yes\"";
    private static final String IN_ZONE =
            "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [%s]}]}]}}";

    /** Claims, volumes and classes of a cluster. */
    private static final class Volumes implements VolumeLookup {

        private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
        private final Map<String, PersistentVolume> volumes = new HashMap<>();
        private final Map<String, StorageClass> classes = new HashMap<>();
        private @Nullable String user;

        Volumes with(PersistentVolumeClaim claim) {
            claims.put(claim.getMetadata().getName(), claim);
            return this;
        }

        Volumes with(PersistentVolume volume) {
            volumes.put(volume.getMetadata().getName(), volume);
            return this;
        }

        Volumes with(StorageClass storageClass) {
            classes.put(storageClass.getMetadata().getName(), storageClass);
            return this;
        }

        @Override
        public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
            return claims.get(name);
        }

        @Override
        public @Nullable PersistentVolume volume(String name) {
            return volumes.get(name);
        }

        @Override
        public @Nullable StorageClass storageClass(String name) {
            return classes.get(name);
        }

        @Override
        public @Nullable String userBefore(Pod pod, String claim) {
            return user;
        }
    }

    private final Volumes volumes = new Volumes();

    private PodTranslation translate(String spec) {
        return PodTranslation.of(Manifests.pod("", spec), null, volumes);
    }

    /** Returns the required terms, each in parentheses. */
    private static String nodes(PodTranslation pod) {
        assertThat(pod.refusals()).isEmpty();
        return pod.task().kind().constraints().nodeAffinity().required().stream()
                .map(PodVolumesTest::text)
                .collect(Collectors.joining(" or "));
    }

    private static String text(NodeSelectorTerm term) {
        return term.isEmpty()
                ? "(none)"
                : "("
                        + Stream.concat(term.matchExpressions().stream(), term.matchFields().stream())
                                .map(Object::toString)
                                .collect(Collectors.joining(" and "))
                        + ")";
    }

    @Test
    void volumeWithoutRestrictions_permitsEveryNode() {
        volumes.with(Manifests.claim(BOUND, "volumeName: pv")).with(Manifests.volume("", "nfs: {server: s, path: /}"));
        assertThat(nodes(translate(POD))).isEmpty();
    }

    /** VolumeBinding: the node affinity of the volume, together with that of the pod. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                              | (zone in (a, b))",
                "{key: disk, operator: Exists}                   | (disk and zone in (a, b))",
                "{key: zone, operator: In, values: [\"a, b\"]}   | (zone in (a, b))",
            })
    void nodeAffinityOfVolume_isRequired(String condition, String nodes) {
        volumes.with(Manifests.claim(BOUND, "volumeName: pv"))
                .with(Manifests.volume("", IN_ZONE.formatted("a, b").replace("\"", "")));
        String affinity = condition.isEmpty()
                ? ""
                : ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                        + "[{matchExpressions: [" + condition.replace("\"", "") + "]}]}}}";
        assertThat(nodes(translate(POD + affinity))).isEqualTo(nodes);
    }

    @Test
    void alternatives_areCombined() {
        volumes.with(Manifests.claim(BOUND, "volumeName: pv")).with(Manifests.volume("", """
                        nodeAffinity: {required: {nodeSelectorTerms: [
                          {matchExpressions: [{key: zone, operator: In, values: [a]}]},
                          {matchFields: [{key: metadata.name, operator: In, values: [n]}]}]}}"""));
        String affinity = ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                + "{nodeSelectorTerms: [{matchExpressions: [{key: x, operator: Exists}]}, "
                + "{matchExpressions: [{key: y, operator: Exists}]}]}}}";
        assertThat(nodes(translate(POD + affinity)))
                .isEqualTo("(x and zone in (a)) or (x and metadata.name in (n)) or (y and zone in (a))"
                        + " or (y and metadata.name in (n))");
    }

    @Test
    void twoVolumes_restrictTogether() {
        volumes.with(Manifests.claim(BOUND, "volumeName: pv"))
                .with(Manifests.volume("", IN_ZONE.formatted("a, b")))
                .with(Manifests.claim(
                        "{metadata: {name: logs, annotations: {" + BOUND + "}}, spec: {volumeName: pv2}}"));
        PersistentVolume second = Manifests.volume("", IN_ZONE.formatted("b, c"));
        second.getMetadata().setName("pv2");
        volumes.with(second);
        assertThat(nodes(translate("containers: [], volumes: [{name: v, persistentVolumeClaim: {claimName: data}}, "
                        + "{name: w, persistentVolumeClaim: {claimName: logs}}]")))
                .isEqualTo("(zone in (a, b) and zone in (b, c))");
    }

    @Test
    void termWithoutConditions_matchesNoNode() {
        volumes.with(Manifests.claim(BOUND, "volumeName: pv"))
                .with(Manifests.volume("", "nodeAffinity: {required: {nodeSelectorTerms: [{}]}}"));
        assertThat(nodes(translate(POD))).isEqualTo("(none)");
    }

    /** VolumeZone: labels of volumes that were made before they had node affinity. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topology.kubernetes.io/zone: a              | (topology.kubernetes.io/zone in (a))",
                "topology.kubernetes.io/zone: a__b           | (topology.kubernetes.io/zone in (a, b))",
                "topology.kubernetes.io/region: r            | (topology.kubernetes.io/region in (r))",
                "failure-domain.beta.kubernetes.io/zone: a   | (topology.kubernetes.io/zone in (a))",
                "failure-domain.beta.kubernetes.io/region: r | (topology.kubernetes.io/region in (r))",
                "disk: ssd                                   | ''",
            })
    void zoneLabelsOfVolume_areRequired(String labels, String nodes) {
        volumes.with(Manifests.claim(BOUND, "volumeName: pv")).with(Manifests.volume(labels, ""));
        assertThat(nodes(translate(POD))).isEqualTo(nodes);
    }

    /** VolumeBinding: claims that are provisioned for the node of the pod. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | '' | ''",
                "volume.kubernetes.io/selected-node: n2 | '' | (metadata.name in (n2))",
                "'' | allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}, {key: rack, values: [r]}]}] | (zone in (a, b) and rack in (r))",
                "'' | allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a]}]}, {matchLabelExpressions: [{key: zone, values: [b]}]}] | (zone in (a)) or (zone in (b))",
                "volume.kubernetes.io/selected-node: n2 | allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a]}]}] | (zone in (a) and metadata.name in (n2))",
            })
    void provisionedClaim_restrictsByClassAndSelectedNode(String annotations, String topologies, String nodes) {
        volumes.with(Manifests.claim(annotations, "storageClassName: fast"))
                .with(Manifests.storageClass("{provisioner: csi.example.com, volumeBindingMode: WaitForFirstConsumer"
                        + (topologies.isEmpty() ? "" : ", " + topologies) + "}"));
        assertThat(nodes(translate(POD))).isEqualTo(nodes);
    }

    @Test
    void classInTheAnnotationOfOldClaims_counts() {
        volumes.with(Manifests.claim("volume.beta.kubernetes.io/storage-class: fast", "storageClassName: slow"))
                .with(Manifests.storageClass("{provisioner: p, volumeBindingMode: WaitForFirstConsumer}"));
        assertThat(nodes(translate(POD))).isEmpty();
    }

    /** Annotations and specification of the claim, the class, and why the pod waits. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | ''                       | {}                            | is not bound yet",
                "'' | storageClassName: ''     | {}                            | is not bound yet",
                "'' | storageClassName: fast   | {provisioner: p}              | is not bound yet",
                "'' | storageClassName: fast   | {provisioner: p, volumeBindingMode: Immediate} | is not bound yet",
                "'' | storageClassName: slow   | {}                            | is not bound, and its storage class slow is not found",
                "'' | 'volumeName: pv, storageClassName: fast' | {provisioner: p, volumeBindingMode: WaitForFirstConsumer} | is not bound yet",
                "'' | storageClassName: fast   | {provisioner: kubernetes.io/no-provisioner, volumeBindingMode: WaitForFirstConsumer} | is not bound, and volumes of storage class fast are not provisioned: name one in its volumeName",
                "'pv.kubernetes.io/bind-completed: \"yes\"' | volumeName: gone | {} | is bound to volume gone, which is not found",
            })
    void claimThatIsNotBound_letsThePodWait(String annotations, String spec, String storageClass, String reason) {
        volumes.with(Manifests.claim(annotations, spec))
                .with(Manifests.storageClass(Objects.requireNonNull(storageClass)));
        assertThat(translate(POD).refusals()).containsExactly("spec.volumes: persistentvolumeclaim data " + reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{metadata: {deletionTimestamp: \"2026-01-01T12:00:00Z\"}, spec: {}} | is being deleted",
                "{spec: {volumeName: pv}, status: {phase: Lost}}                     | has lost its volume pv",
            })
    void claimThatIsGone_letsThePodWait(String claim, String reason) {
        volumes.with(Manifests.claim(claim));
        assertThat(translate(POD).refusals()).containsExactly("spec.volumes: persistentvolumeclaim data " + reason);
    }

    /** VolumeRestrictions. */
    @Test
    void claimForOnePod_letsOthersWait() {
        volumes.with(Manifests.claim(BOUND, "volumeName: pv, accessModes: [ReadWriteOncePod]"))
                .with(Manifests.volume("", ""));
        assertThat(translate(POD).refusals()).isEmpty();
        volumes.user = "web-1";
        assertThat(translate(POD).refusals())
                .containsExactly("spec.volumes: persistentvolumeclaim data has access mode ReadWriteOncePod and is used"
                        + " by pod web-1");
        volumes.with(Manifests.claim(BOUND, "volumeName: pv, accessModes: [ReadWriteOnce]"));
        assertThat(translate(POD).refusals()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                                           | not found",
                "ownerReferences: [{controller: true, uid: 1b4e28ba-2fa1-11d2-883f}]          | is not bound yet",
                "ownerReferences: [{controller: true, uid: other}]                            | belongs to another owner: delete it",
                "ownerReferences: []                                                          | belongs to another owner: delete it",
            })
    void ephemeralVolume_hasAClaimOfThePod(String owner, String reason) {
        if (!owner.isEmpty()) {
            volumes.with(Manifests.claim("{metadata: {name: web-0-v, " + owner + "}, spec: {}}"));
        }
        PodTranslation pod = translate("containers: [], volumes: [{name: v, ephemeral: {volumeClaimTemplate: {}}}]");
        assertThat(pod.refusals().get(0)).isEqualTo("spec.volumes: persistentvolumeclaim web-0-v " + reason);
    }

    @Test
    void claims_areNamedOnce() {
        Pod pod = Manifests.pod(
                "",
                "containers: [], volumes: [{name: v, persistentVolumeClaim: {claimName: data}}, {name: e, emptyDir: {}}, "
                        + "{name: w, persistentVolumeClaim: {claimName: data}}, {name: x, ephemeral: {}}]");
        assertThat(PodVolumes.claims(pod)).isEqualTo(List.of("data", "web-0-x"));
    }

    @Test
    void tooManyAlternatives_areRefused() {
        String terms = "{matchExpressions: [{key: k, operator: In, values: [v%d]}]}";
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            many.append(i == 0 ? "" : ", ").append(terms.formatted(i));
        }
        volumes.with(Manifests.claim(BOUND, "volumeName: pv"))
                .with(Manifests.volume("", "nodeAffinity: {required: {nodeSelectorTerms: [" + many + "]}}"));
        String affinity = ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                + "{nodeSelectorTerms: [" + many + "]}}}";
        assertThat(translate(POD + affinity).refusals())
                .containsExactly("spec.volumes: node affinity and volumes have 1001 alternatives together: at most 1000"
                        + " are allowed");
    }
}
