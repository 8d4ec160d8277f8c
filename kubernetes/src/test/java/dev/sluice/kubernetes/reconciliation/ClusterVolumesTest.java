package dev.sluice.kubernetes.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.kubernetes.translation.Manifests;
import org.junit.jupiter.api.Test;

/** Pods follow their claims, volumes and classes, in whatever order these are seen. */
final class ClusterVolumesTest {

    private static final String BOUND = "pv.kubernetes.io/bind-completed: \"yes\"";
    private static final String IN_ZONE = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: "
            + "[{key: zone, operator: In, values: [a]}]}]}}";
    private static final String CLAIM = "volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]";

    private final Cluster cluster = new Cluster();

    private void pod(String name, String spec) {
        cluster.pod(name, "sluice", "1", "labels: {applicationId: job}", CLAIM + spec, "");
    }

    private void pod(String name) {
        pod(name, "");
    }

    private boolean isSubmitted(String pod) {
        return cluster.partition().application("job") != null
                && cluster.application("job").group(pod + "." + ("u-" + pod)) != null;
    }

    @Test
    void podWaits_untilItsClaimIsBoundAndItsVolumeKnown() {
        pod("p");
        assertThat(cluster.follow()).isEmpty();
        assertThat(cluster.refusal("u-p")).isEqualTo("spec.volumes: persistentvolumeclaim data not found");
        cluster.view.put(Manifests.claim("", "storageClassName: fast"));
        cluster.follow();
        assertThat(cluster.refusal("u-p")).contains("storage class fast is not found");
        cluster.view.put(Manifests.storageClass("{provisioner: p}"));
        cluster.follow();
        assertThat(cluster.refusal("u-p")).endsWith("is not bound yet");
        cluster.view.put(Manifests.claim(BOUND, "volumeName: pv"));
        cluster.follow();
        assertThat(cluster.refusal("u-p")).contains("bound to volume pv, which is not found");
        cluster.view.put(Manifests.volume("", IN_ZONE));
        assertThat(cluster.follow()).containsExactly("SubmitApplication");
        assertThat(cluster.task("job", "p").kind().constraints().nodeAffinity().required())
                .hasSize(1);
        assertThat(cluster.followAll()).isEmpty();
    }

    @Test
    void claimOfAClassThatWaitsForConsumers_isNoReasonToWait() {
        cluster.view.put(Manifests.claim("", "storageClassName: fast"));
        cluster.view.put(Manifests.storageClass("{provisioner: p, volumeBindingMode: WaitForFirstConsumer}"));
        pod("p");
        assertThat(cluster.follow()).containsExactly("SubmitApplication");
        assertThat(cluster.view.claimsOf("u-p")).containsExactly("data");
    }

    @Test
    void pendingTask_followsItsClaim() {
        cluster.node("n", "4");
        cluster.node("m", "4");
        cluster.view.put(Manifests.claim("", "storageClassName: fast"));
        cluster.view.put(Manifests.storageClass("{provisioner: p, volumeBindingMode: WaitForFirstConsumer}"));
        pod("p");
        assertThat(cluster.follow()).contains("SubmitApplication");
        cluster.view.put(Manifests.claim("volume.kubernetes.io/selected-node: gone", "storageClassName: fast"));
        assertThat(cluster.follow()).containsExactly("UpdateApplication");
        cluster.cycle();
        assertThat(cluster.application("job").boundTasks()).isZero();
        cluster.view.removeClaim("team-a", "data");
        assertThat(cluster.follow()).containsExactly("UpdateApplication");
        assertThat(cluster.refusal("u-p")).endsWith("data not found");
        cluster.cycle();
        assertThat(cluster.application("job").boundTasks()).isZero();
        assertThat(cluster.followAll()).isEmpty();
        cluster.view.put(Manifests.claim("volume.kubernetes.io/selected-node: m", "storageClassName: fast"));
        assertThat(cluster.follow()).containsExactly("UpdateApplication");
        cluster.cycle();
        assertThat(cluster.allocated("job", "p").node().name()).isEqualTo("m");
        cluster.view.put(Manifests.claim("", "storageClassName: fast"));
        assertThat(cluster.follow()).as("an allocated task is left alone").isEmpty();
    }

    @Test
    void exclusiveClaim_isUsedByOnePodAfterTheOther() {
        cluster.view.put(Manifests.claim(BOUND, "volumeName: pv, accessModes: [ReadWriteOncePod]"));
        cluster.view.put(Manifests.volume("", ""));
        pod("p");
        pod("q");
        cluster.follow();
        assertThat(isSubmitted("p")).isTrue();
        assertThat(isSubmitted("q")).isFalse();
        assertThat(cluster.refusal("u-q")).endsWith("is used by pod p");
        cluster.view.removePod("u-p");
        cluster.follow();
        assertThat(isSubmitted("q")).isTrue();
    }

    @Test
    void exclusiveClaim_ofAPodOnANode_isUsedByIt() {
        cluster.view.put(Manifests.claim(BOUND, "volumeName: pv, accessModes: [ReadWriteOncePod]"));
        cluster.view.put(Manifests.volume("", ""));
        pod("p");
        cluster.pod("z", "default-scheduler", "1", "", CLAIM + ", nodeName: n", "phase: Running");
        cluster.follow();
        assertThat(cluster.refusal("u-p")).endsWith("is used by pod z");
        cluster.pod("z", "default-scheduler", "1", "", CLAIM + ", nodeName: n", "phase: Succeeded");
        cluster.follow();
        assertThat(isSubmitted("p")).isTrue();
    }

    @Test
    void claimThatBecomesExclusive_orIsRemoved_isNoticed() {
        pod("p");
        pod("q");
        cluster.view.put(Manifests.volume("", ""));
        cluster.view.put(Manifests.claim(BOUND, "volumeName: pv, accessModes: [ReadWriteOncePod]"));
        cluster.follow();
        assertThat(cluster.refusal("u-q")).endsWith("is used by pod p");
        cluster.view.removeClaim("team-a", "data");
        cluster.view.removePod("u-p");
        cluster.follow();
        assertThat(cluster.refusal("u-q")).endsWith("data not found");
    }

    @Test
    void removedVolumeOrClass_isNoticed() {
        cluster.view.put(Manifests.claim("", "storageClassName: fast"));
        cluster.view.put(Manifests.storageClass("{provisioner: p, volumeBindingMode: WaitForFirstConsumer}"));
        cluster.view.removeStorageClass("fast");
        pod("p");
        cluster.follow();
        assertThat(cluster.refusal("u-p")).contains("storage class fast is not found");
        cluster.view.put(Manifests.claim(BOUND, "volumeName: pv"));
        cluster.view.put(Manifests.volume("", ""));
        cluster.view.removeVolume("pv");
        cluster.follow();
        assertThat(cluster.refusal("u-p")).contains("bound to volume pv, which is not found");
    }
}
