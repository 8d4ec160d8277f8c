package dev.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.server.http.RequiredFields;
import dev.sluice.server.route.OptionalField;
import dev.sluice.server.route.ProblemDetails;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Optional components are marked with the annotation that the server reads, and with no other. */
final class OptionalFieldsTest {

    private record Sample(
            @OptionalField String optional, @Nullable String nullable, String required) {}

    /** Returns the records of the API, including nested ones. */
    private static List<Class<?>> records() throws Exception {
        URI folder = Objects.requireNonNull(CancelDocument.class.getResource("CancelDocument.class"))
                .toURI()
                .resolve(".");
        List<Class<?>> records = new ArrayList<>(List.of(ProblemDetails.class, ProblemDetails.Location.class));
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString().replace(".class", "");
                Class<?> type = Class.forName(CancelDocument.class.getPackageName() + "." + name);
                if (type.isRecord()) {
                    records.add(type);
                }
            }
        }
        return records;
    }

    @Test
    void component_nullable_hasOptionalField() throws Exception {
        List<String> nullable = new ArrayList<>();
        int optional = 0;
        for (Class<?> type : records()) {
            for (RecordComponent component : type.getRecordComponents()) {
                if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    nullable.add(type.getSimpleName() + "." + component.getName());
                }
                optional += RequiredFields.isOptional(component) ? 1 : 0;
            }
        }
        assertThat(nullable)
                .as("@Nullable is not available at run time; use @OptionalField")
                .isEmpty();
        assertThat(optional).isGreaterThan(50);
    }

    @Test
    void component_isOptional_onlyIfAnnotated() {
        assertThat(Stream.of(Sample.class.getRecordComponents())
                        .filter(RequiredFields::isOptional)
                        .map(RecordComponent::getName))
                .containsExactly("optional");
    }
}
