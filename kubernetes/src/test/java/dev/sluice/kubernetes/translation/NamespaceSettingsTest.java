package dev.sluice.kubernetes.translation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Annotations of a namespace, by "Resource Quota Management" of YuniKorn's documentation. */
final class NamespaceSettingsTest {

    private static final String PREFIX = "yunikorn.apache.org/";

    @Test
    void annotations_areSettingsOfTheQueue() {
        NamespaceSettings settings = NamespaceSettings.of(Manifests.namespace(PREFIX
                + "namespace.quota: '{\"cpu\": \"64\", \"memory\": \"100Gi\", \"nvidia.com/gpu\": \"5\", \"pods\": \"50\"}', "
                + PREFIX + "namespace.guaranteed: '{\"cpu\": \"500m\"}', "
                + PREFIX + "namespace.maxApps: \"7\", "
                + PREFIX + "parentqueue: root.production"));
        assertThat(settings.refusals()).isEmpty();
        assertThat(settings.max()).hasToString("memory 100Gi, nvidia.com/gpu 5, slots 50, vcore 64");
        assertThat(settings.guaranteed()).hasToString("vcore 500m");
        assertThat(settings.maxApplications()).isEqualTo(7);
        assertThat(settings.tags())
                .isEqualTo(Map.of("namespace", "team-a", "namespace.parentqueue", "root.production"));
    }

    @Test
    void namespaceWithoutAnnotations_hasNoLimits() {
        assertThat(NamespaceSettings.of(Manifests.namespace("")))
                .returns(null, NamespaceSettings::max)
                .returns(null, NamespaceSettings::guaranteed)
                .returns(0, NamespaceSettings::maxApplications)
                .returns(Map.of("namespace", "team-a"), NamespaceSettings::tags);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespace.max.cpu: \"64\"                                 | vcore 64",
                "namespace.max.cpu: \"64\", namespace.max.memory: 100Gi    | memory 100Gi, vcore 64",
                "namespace.max.cpu: \"64\", namespace.quota: '{\"cpu\": \"2\"}' | vcore 2",
            })
    void deprecatedQuota_countsWithoutTheOtherOne(String annotations, String max) {
        assertThat(NamespaceSettings.of(Manifests.namespace(annotations.replace("namespace.", PREFIX + "namespace.")))
                        .max())
                .hasToString(max);
    }

    @Test
    void parentQueue_mayHaveThePrefixOfTheOthers() {
        assertThat(NamespaceSettings.of(Manifests.namespace(PREFIX + "namespace.parentqueue: root.a"))
                        .parentQueue())
                .isEqualTo("root.a");
    }

    /** Annotations for the admission controller, by "Service Configuration" of YuniKorn's documentation. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespace.enableYuniKorn: \"true\"  | ''                           | namespace.enableYuniKorn: pods of",
                "namespace.enableYuniKorn: \"true\"  | sluice.dev/schedule: 'off'   | namespace.enableYuniKorn: pods of",
                "namespace.enableYuniKorn: \"true\"  | sluice.dev/schedule: enabled |",
                "namespace.enableYuniKorn: \"false\" | ''                           |",
                "namespace.generateAppId: \"true\"   | ''                           | namespace.generateAppId: pods without",
                "namespace.generateAppId: \"false\"  | ''                           |",
            })
    void annotationForAdmission_hasNoEffect(String annotation, String label, String refusal) {
        assertThat(NamespaceSettings.of(Manifests.namespace(PREFIX + annotation, label))
                        .refusals())
                .hasSize(refusal == null ? 0 : 1)
                .allMatch(reason -> reason.startsWith("annotation " + PREFIX + refusal));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespace.quota: '64 cores'              | namespace.quota: is not valid:",
                "namespace.quota: '[]'                    | namespace.quota: is not valid:",
                "namespace.quota: '{\"cpu\": \"much\"}'   | namespace.quota: \"much\" is not a quantity of cpu: write",
                "namespace.quota: '{\"cpu\": \"-1\"}'     | namespace.quota: \"-1\" is not a quantity of cpu: write",
                "namespace.quota: '{\"cpu\": \"1e-999999\"}' | namespace.quota: \"1e-999999\" is not a quantity of cpu: write",
                "namespace.quota: '{\"cpu\": \"1e999999999999\"}' | namespace.quota: \"1e999999999999\" is not a quantity of cpu: write",
                "namespace.quota: '{\"cpu\": \"1e999999\"}' | namespace.quota: \"1e999999\" is not a quantity of cpu: write",
                "namespace.quota: '{\"cpu\": null}'       | namespace.quota: \"null\" is not a quantity of cpu: write",
                "namespace.max.cpu: many                  | namespace.max: \"many\" is not a quantity of cpu: write",
                "namespace.guaranteed: '{\"\": \"1\"}'    | namespace.guaranteed: \"1\" is not a quantity of : write",
                "namespace.maxApps: many                  | namespace.maxApps: \"many\" must be a number greater than 0",
                "namespace.maxApps: \"0\"                 | namespace.maxApps: \"0\" must be a number greater than 0",
            })
    void badAnnotation_isRefused(String annotation, String refusal) {
        NamespaceSettings settings = NamespaceSettings.of(Manifests.namespace(PREFIX + annotation));
        assertThat(settings.refusals())
                .singleElement()
                .asString()
                .startsWith("annotation " + PREFIX + Objects.requireNonNull(refusal));
        assertThat(settings.max()).isNull();
    }
}
