package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Attempts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods as tasks: priority, protection from preemption, pods of Spark, and what is refused. */
final class PodTranslationTest {

    private static final String SPARK = """
            metadata:
              name: pi-%s
              uid: %s
              labels: {spark-role: %s, spark-app-selector: spark-7a1c, spark-version: 3.5.0%s}
            spec:
              schedulerName: yunikorn
              priority: 5
              containers:
              - {name: spark, resources: {requests: {cpu: %s, memory: 1408Mi}}}
            """;

    @Test
    void driverAndExecutor_areTasksOfOneApplication() {
        PodTranslation driver = PodTranslation.of(Manifests.pod(SPARK.formatted("driver", "d1", "driver", "", "1")));
        PodTranslation executor = PodTranslation.of(
                Manifests.pod(SPARK.formatted("exec-1", "e1", "executor", ", spark-exec-id: \"1\"", "500m")));
        assertThat(driver.isAccepted()).isTrue();
        assertThat(driver.identity().application()).isEqualTo("spark-7a1c");
        assertThat(executor.identity().application()).isEqualTo("spark-7a1c");
        assertThat(executor.task().name()).isEqualTo("pi-exec-1.e1");
        assertThat(executor.task().resources()).hasToString("memory 1408Mi, vcore 500m");
        assertThat(executor.task().priority()).isEqualTo(5);
        assertThat(driver.task().durationKey()).isEqualTo("spark-7a1c.driver");
    }

    @Test
    void pod_isNotRepeated_unlessItsNodeIsRemoved() {
        Attempts attempts =
                PodTranslation.of(Manifests.pod("", "containers: []")).task().attempts();
        assertThat(attempts).isEqualTo(new Attempts(0, 1_000_000, null));
    }

    @ParameterizedTest
    @CsvSource({"'', true", "'\"true\"', true", "'\"false\"', false"})
    void allowPreemption_protects(String value, boolean preemptible) {
        String annotations = value.isEmpty() ? "" : "yunikorn.apache.org/allow-preemption: " + value;
        PodTranslation pod = PodTranslation.of(Manifests.pod("annotations: {" + annotations + "}", "containers: []"));
        assertThat(pod.task().attempts().preemptible()).isEqualTo(preemptible);
        assertThat(pod.isAccepted()).isTrue();
    }

    /** The annotation of the class, by "Preemption" of YuniKorn's documentation, and that of the pod. */
    @ParameterizedTest
    @CsvSource({
        "'',      '',      true",
        "'false', '',      false",
        "'true',  '',      true",
        "'no',    '',      true",
        "'false', 'true',  true",
        "'true',  'false', false",
    })
    void allowPreemptionOfTheClass_countsUnlessThePodSaysOtherwise(String ofClass, String ofPod, boolean preemptible) {
        String annotation = "yunikorn.apache.org/allow-preemption: \"%s\"";
        PodTranslation pod = PodTranslation.of(
                Manifests.pod(
                        "annotations: {" + (ofPod.isEmpty() ? "" : annotation.formatted(ofPod)) + "}",
                        "containers: [], priorityClassName: batch"),
                Manifests.priorityClass("batch", ofClass.isEmpty() ? "" : annotation.formatted(ofClass)),
                VolumeLookup.NONE);
        assertThat(pod.task().attempts().preemptible()).isEqualTo(preemptible);
        assertThat(pod.isAccepted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resourceClaims: [{name: gpu, resourceClaimName: c}] | spec.resourceClaims: dynamic resource allocation is not supported",
                "schedulingGroup: {podGroupName: g}                  | spec.schedulingGroup: pod groups are not supported",
                "preemptionPolicy: Never                             | spec.preemptionPolicy: Never is not supported",
                "volumes: [{name: v, persistentVolumeClaim: {claimName: c}}] | spec.volumes: persistentvolumeclaim c not found",
                "volumes: [{name: v, ephemeral: {volumeClaimTemplate: {}}}]  | spec.volumes: persistentvolumeclaim web-0-v not found",
            })
    void unsupportedFields_areRefused(String spec, String refusal) {
        PodTranslation pod = PodTranslation.of(Manifests.pod("", "containers: [], " + spec));
        assertThat(pod.isAccepted()).isFalse();
        assertThat(pod.refusals()).singleElement().asString().startsWith(refusal);
    }

    @ParameterizedTest
    @CsvSource({"'\"true\"', false", "'\"false\"', true"})
    void placeholderOfYuniKorn_isRefused(String value, boolean accepted) {
        PodTranslation pod = PodTranslation.of(Manifests.pod(
                "labels: {applicationId: train}, annotations: {yunikorn.apache.org/task-group-name: worker,"
                        + " yunikorn.apache.org/placeholder: " + value + "}",
                "containers: []"));
        assertThat(pod.isAccepted()).isEqualTo(accepted);
        assertThat(String.join("", pod.refusals()).endsWith(": delete the pod")).isEqualTo(!accepted);
    }

    @Test
    void ordinaryVolumes_areAccepted() {
        assertThat(PodTranslation.of(Manifests.pod(
                                "",
                                "containers: [], volumes: [{name: v, emptyDir: {}}, {name: w, configMap: {name: c}}]"))
                        .isAccepted())
                .isTrue();
    }

    @Test
    void severalRefusals_areAllReported() {
        assertThat(PodTranslation.of(Manifests.pod(
                                "annotations: {yunikorn.apache.org/allow-preemption: maybe}",
                                "containers: [], preemptionPolicy: Never"))
                        .refusals())
                .hasSize(2)
                .first()
                .isEqualTo("annotation yunikorn.apache.org/allow-preemption: \"maybe\": must be \"true\" or \"false\"");
    }
}
