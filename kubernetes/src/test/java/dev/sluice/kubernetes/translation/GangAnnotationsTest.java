package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Gang;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TextMap;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Annotated task groups, by "Gang Scheduling" of YuniKorn's documentation. */
final class GangAnnotationsTest {

    private static PodTranslation pod(String name, String groups, String parameters) {
        return PodTranslation.of(Manifests.pod("""
                metadata:
                  labels: {applicationId: job}
                  annotations:
                    yunikorn.apache.org/task-group-name: "%s"
                    yunikorn.apache.org/task-groups: '%s'
                    yunikorn.apache.org/schedulingPolicyParameters: "%s"
                spec: {priority: 3, containers: []}
                """.formatted(name, groups, parameters)));
    }

    private static final String GROUPS = """
            [{"name": "driver", "minMember": 1, "minResource": {"cpu": "1", "memory": "2Gi"}},
             {"name": "executor", "minMember": 10, "minResource": {"cpu": "500m", "nvidia.com/gpu": 1},
              "labels": {"role": "executor"},
              "nodeSelector": {"disk": "ssd"},
              "tolerations": [{"key": "spot", "operator": "Exists"}],
              "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
                {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"role": "executor"}}}]}},
              "topologySpreadConstraints": []}]""";

    @Test
    void taskGroups_becomeSpecificationsOfTheGang() {
        PodTranslation pod =
                pod("driver", GROUPS.replace("\n", " "), "placeholderTimeoutInSeconds=60 gangSchedulingStyle=Hard");
        assertThat(pod.refusals()).isEmpty();
        assertThat(pod.taskGroup()).isEqualTo("driver");
        PodGang gang = pod.gang();
        assertThat(gang).isNotNull();
        assertThat(gang.gang())
                .isEqualTo(Gang.of(Map.of("driver", 1, "executor", 10))
                        .withTimeout(Duration.ofMinutes(1))
                        .withStyle(Gang.Style.HARD));
        assertThat(gang.tasks()).extracting(TaskSpec::name).containsExactly("driver", "executor");
        TaskSpec executor = gang.tasks().get(1);
        assertThat(executor.size()).isEqualTo(10);
        assertThat(executor.priority()).isEqualTo(3);
        assertThat(executor.resources()).hasToString("nvidia.com/gpu 1, vcore 500m");
        assertThat(executor.constraints().permits("n", TextMap.copyOf(Map.of("disk", "ssd")), List.of()))
                .isTrue();
        assertThat(executor.constraints().permits("n", TextMap.EMPTY, List.of()))
                .isFalse();
        assertThat(executor.constraints().tolerations()).hasSize(1);
        assertThat(executor.constraints()
                        .tasks()
                        .antiAffinity()
                        .required()
                        .get(0)
                        .selector()
                        .matches(executor.constraints().tasks().labels()))
                .isTrue();
    }

    @Test
    void parameters_haveDefaults() {
        String groups = "[{\"name\": \"w\", \"minMember\": 2, \"minResource\": {\"memory\": \"1Gi\"}}]";
        assertThat(pod("w", groups, "").gang()).extracting(PodGang::gang).isEqualTo(Gang.of(Map.of("w", 2)));
        assertThat(pod("w", groups, "  other=1 ").refusals()).isEmpty();
        assertThat(pod("w", groups, "").gang())
                .extracting(gang -> gang.tasks().get(0).resources().toString())
                .isEqualTo("memory 1Gi, vcore 0");
    }

    @Test
    void nameWithoutGroups_isAccepted_sinceTheFirstPodHasThem() {
        PodTranslation pod = PodTranslation.of(
                Manifests.pod("annotations: {yunikorn.apache.org/task-group-name: executor}", "containers: []"));
        assertThat(pod.taskGroup()).isEqualTo("executor");
        assertThat(pod.gang()).isNull();
        assertThat(pod.isAccepted()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[{\"name\": \"w\", \"minMember\": 0}] | ~~ | task-groups: each task group needs a name, and a minMember",
                "[{\"minMember\": 2}]                  | ~~ | task-groups: each task group needs a name, and a minMember",
                "{\"name\": \"w\"}                     | ~~ | task-groups: is not valid:",
                "[{\"name\": \"w\", \"minMember\": \"x\"}] | ~~ | task-groups: is not valid:",
                "[{\"name\": \"w\", \"minMember\": 20000}] | ~~ | task-groups: has 20000 members: at most 10000",
                "[{\"name\": \"w\", \"minMember\": 1}, {\"name\": \"w\", \"minMember\": 1}] | ~~ | task-groups: duplicate task group w",
                "[{\"name\": \"v\", \"minMember\": 1}] | ~~ | task-group-name: task group w is not in yunikorn",
                "[{\"name\": \"w\", \"minMember\": 1, \"minResource\": {\"cpu\": \"fast\"}}] | ~~ | task-groups: task group w is not valid:",
                "[{\"name\": \"w\", \"minMember\": 1, \"minResource\": {\"cpu\": \"1e-999999\"}}] | ~~ | task-groups: task group w is not valid:",
                "[{\"name\": \"w\", \"minMember\": 1, \"minResource\": {\"cpu\": \"1e999999999999\"}}] | ~~ | task-groups: task group w is not valid:",
                "[{\"name\": \"w\", \"minMember\": 1, \"minResource\": {\"cpu\": \"1e999999\"}}] | ~~ | task-groups: task group w is not valid:",
                "[{\"name\": \"w\", \"minMember\": 1, \"topologySpreadConstraints\": [{}]}] | ~~ | task-groups: task group w is not valid:",
                "[{\"name\": \"w\", \"minMember\": 1, \"tolerations\": [{\"operator\": \"Is\"}]}] | ~~ | task-groups.tolerations: operator Is",
                "[{\"name\": \"w\", \"minMember\": 1}] | gangSchedulingStyle=hard | schedulingPolicyParameters: gangSchedulingStyle=hard: must be Soft or Hard",
                "[{\"name\": \"w\", \"minMember\": 1}] | placeholderTimeoutInSeconds=0 | schedulingPolicyParameters: placeholderTimeoutInSeconds=0: must be",
                "[{\"name\": \"w\", \"minMember\": 1}] | placeholderTimeoutInSeconds | schedulingPolicyParameters: placeholderTimeoutInSeconds=: must be",
            })
    void badAnnotation_isRefused(String groups, String parameters, String refusal) {
        assertThat(pod("w", groups, parameters).refusals())
                .singleElement()
                .asString()
                .startsWith("annotation yunikorn.apache.org/" + refusal);
    }
}
