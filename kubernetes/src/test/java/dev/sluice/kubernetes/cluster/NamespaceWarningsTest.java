package dev.sluice.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NamespaceWarningsTest {

    private static final String QUOTA = "yunikorn.apache.org/namespace.quota";

    private final List<String> warnings = new ArrayList<>();
    private final NamespaceWarnings namespaces = new NamespaceWarnings((object, message) ->
            warnings.add(object.getKind() + " " + object.getNamespace() + "/" + object.getName() + ": " + message));

    private void put(String annotation, String value) {
        namespaces.put(new NamespaceBuilder()
                .withNewMetadata()
                .withName("team-a")
                .addToAnnotations(annotation, value)
                .endMetadata()
                .build());
    }

    @Test
    void badAnnotation_isWarnedAboutOncePerChange() {
        put(QUOTA, "much");
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith("Namespace team-a/team-a: annotation " + QUOTA + ": is not valid");
        put(QUOTA, "much");
        assertThat(warnings).hasSize(1);
        put("yunikorn.apache.org/namespace.maxApps", "many");
        assertThat(warnings).hasSize(2);
        put(QUOTA, "{\"cpu\": \"1\"}");
        assertThat(warnings).hasSize(2);
        put(QUOTA, "much");
        assertThat(warnings).hasSize(3);
        namespaces.remove("team-a");
        put(QUOTA, "much");
        assertThat(warnings).hasSize(4);
    }
}
