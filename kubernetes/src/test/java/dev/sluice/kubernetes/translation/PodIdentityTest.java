package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Application, queue and user of a pod, by section "Pods as tasks" of the design and "Labels and Annotations in
 * YuniKorn".
 */
final class PodIdentityTest {

    private static final String OWNER =
            "ownerReferences: [{kind: Job, name: pi, uid: 6ba7b810-9dad, controller: true}, {kind: App, name: x}]";

    private static PodIdentity identity(String metadata) {
        return PodTranslation.of(Manifests.pod(metadata, "containers: []")).identity();
    }

    /** Each row leaves out what the row before it has. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sluice.dev/application: a1, yunikorn.apache.org/app-id: a3 | sluice.dev/application: a2 | a1",
                "yunikorn.apache.org/app-id: a3, spark-app-selector: a5     | sluice.dev/application: a2 | a2",
                "yunikorn.apache.org/app-id: a3, spark-app-selector: a5 | yunikorn.apache.org/app-id: a4 | a3",
                "spark-app-selector: a5, applicationId: a6              | yunikorn.apache.org/app-id: a4 | a4",
                "spark-app-selector: a5, applicationId: a6              | ''                             | a5",
                "applicationId: a6                                      | ''                             | a6",
                "applicationId: ''                                      | ''        | team-a.job.pi.6ba7b810",
                // annotations are no substitute for the labels that others set
                "''                                                     | applicationId: a7 | team-a.job.pi.6ba7b810",
            })
    void application_isTheFirstOf(String labels, String annotations, String application) {
        assertThat(identity("labels: {" + clean(labels) + "}, annotations: {" + clean(annotations) + "}, " + OWNER)
                        .application())
                .isEqualTo(application);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sluice.dev/queue: root.a, yunikorn.apache.org/queue: root.c | sluice.dev/queue: root.b | root.a",
                "yunikorn.apache.org/queue: root.c, queue: root.e            | sluice.dev/queue: root.b | root.b",
                "yunikorn.apache.org/queue: root.c, queue: root.e     | yunikorn.apache.org/queue: root.d | root.c",
                "queue: root.e                                        | yunikorn.apache.org/queue: root.d | root.d",
                "queue: root.e                                        | ''                                | root.e",
                "''                                                   | queue: root.f                     | ",
            })
    void queue_isTheFirstOf(String labels, String annotations, String queue) {
        assertThat(identity("labels: {" + clean(labels) + "}, annotations: {" + clean(annotations) + "}")
                        .queue())
                .isEqualTo(queue);
    }

    private static String clean(String text) {
        return text.equals("''") ? "" : text;
    }

    @Test
    void podWithoutOwner_isItsOwnApplication() {
        PodIdentity pod = identity("uid: 1b4e28ba-2fa1");
        assertThat(pod.application()).isEqualTo("team-a.pod.web-0.1b4e28ba");
        assertThat(pod.applicationName()).isEqualTo("team-a.pod.web-0");
        assertThat(pod.alone()).isTrue();
        assertThat(pod.task()).isEqualTo("web-0.1b4e28ba");
        assertThat(identity("name: web-0, uid: 99999999-2fa1").application()).isNotEqualTo(pod.application());
    }

    @Test
    void podsOfOneOwner_areOneApplication() {
        PodIdentity first = identity("name: pi-a, uid: a1, " + OWNER);
        PodIdentity second = identity("name: pi-b, uid: b1, " + OWNER);
        assertThat(first.application()).isEqualTo(second.application());
        assertThat(first.task()).isEqualTo("pi-a.a1");
        assertThat(first.alone()).isFalse();
    }

    /** The labels of a JobSet as "JobSet labels" of its documentation; those of Spark as its own pods have them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Job              | ''                             | team-a.job.x.6ba7b810",
                "ReplicaSet       | ''                             | team-a.replicaset.x.6ba7b810",
                "StatefulSet      | ''                             | team-a.statefulset.x.6ba7b810",
                "RayCluster       | ''                             | team-a.raycluster.x.6ba7b810",
                "PyTorchJob       | ''                             | team-a.pytorchjob.x.6ba7b810",
                "MPIJob           | ''                             | team-a.mpijob.x.6ba7b810",
                "SparkApplication | spark-app-selector: spark-7a1c | spark-7a1c",
                "Pod              | spark-app-selector: spark-7a1c | spark-7a1c",
                "Job | J/jobset-name: train, J/jobset-uid: 9f2c11d0-77aa             | team-a.jobset.train.9f2c11d0",
                "Job | J/jobset-name: train, J/jobset-uid: 9f2c11d0, applicationId: a | a",
                "Job | J/jobset-name: train                                          | team-a.job.x.6ba7b810",
                // another kind of owner does not belong to the JobSet, whatever its template has copied
                "MPIJob | J/jobset-name: train, J/jobset-uid: 9f2c11d0-77aa          | team-a.mpijob.x.6ba7b810",
            })
    void owner_decidesTheApplication(String kind, String labels, String application) {
        String metadata = "labels: {" + clean(labels).replace("J/", "jobset.sigs.k8s.io/")
                + "}, ownerReferences: [{kind: " + kind + ", name: x, uid: 6ba7b810-9dad, controller: true}]";
        assertThat(identity(metadata).application()).isEqualTo(application);
        assertThat(identity(metadata).alone()).isFalse();
    }

    @Test
    void ownerThatDoesNotControl_isNone() {
        assertThat(identity("ownerReferences: [{kind: Node, name: n, uid: u}]").alone())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                    | ''                                   | nobody | ",
                "yunikorn.apache.org/username: bob     | ''                                   | bob    | ",
                "yunikorn.apache.org/username: bob     | {\"user\": \"alice\", \"groups\": [\"dev\", \"ops\"]} | alice | dev ops",
                "''                                    | {\"user\": \"alice\"}                | alice  | ",
                "''                                    | {\"groups\": [\"dev\"]}              | nobody | dev",
            })
    void user_isAnnotatedOrLabelled(String label, String annotation, String user, String groups) {
        String info = annotation.equals("''") ? "" : "yunikorn.apache.org/user.info: '" + annotation + "'";
        PodIdentity pod = identity("labels: {" + clean(label) + "}, annotations: {" + info + "}");
        assertThat(pod.user()).isEqualTo(user);
        assertThat(pod.groups()).isEqualTo(groups == null ? List.of() : List.of(groups.split(" ")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yunikorn.apache.org/user.info: 'alice'   | annotation yunikorn.apache.org/user.info: is not valid:",
                "yunikorn.apache.org/user.info: 'null'    | annotation yunikorn.apache.org/user.info: must be one value",
                "yunikorn.apache.org/user.info: '{} {}'   | annotation yunikorn.apache.org/user.info: must be one value",
                "sluice.dev/application: \"a\\tb\"        | application: contains a control character",
                "sluice.dev/queue: \"root.\\u0007\"       | queue: contains a control character",
            })
    void badAnnotation_isRefused(String annotation, String problem) {
        assertThat(PodTranslation.of(Manifests.pod("annotations: {" + annotation + "}", "containers: []"))
                        .refusals())
                .singleElement()
                .asString()
                .startsWith(problem);
    }

    @Test
    void longNames_areCutOrRefused() {
        String name = "x".repeat(253);
        PodIdentity pod = identity("name: " + name + ", uid: 1b4e28ba");
        assertThat(pod.task()).hasSize(256).endsWith("x.1b4e28ba");
        assertThat(pod.application()).hasSize(256).startsWith("team-a.pod.xxx").endsWith("x.1b4e28ba");
        assertThat(PodTranslation.of(Manifests.pod(
                                "annotations: {sluice.dev/application: " + "y".repeat(257) + "}", "containers: []"))
                        .refusals())
                .containsExactly("application: must have 1 to 256 characters");
    }
}
