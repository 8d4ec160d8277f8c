package dev.sluice.server.openapi;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaBuilder;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import java.lang.reflect.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Describes the records of the interface as JSON schemas: what is not nullable is required, what has a description tells it. */
final class Schemas {

    private final SchemaBuilder builder;

    Schemas() {
        SchemaGeneratorConfigBuilder config = new SchemaGeneratorConfigBuilder(
                        SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(
                        Option.DEFINITIONS_FOR_ALL_OBJECTS,
                        Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES,
                        Option.PLAIN_DEFINITION_KEYS,
                        Option.FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT,
                        Option.EXTRA_OPEN_API_FORMAT_VALUES)
                .without(Option.SCHEMA_VERSION_INDICATOR);
        config.forFields()
                .withRequiredCheck(field -> !isNullable(field.getRawMember().getAnnotatedType()))
                .withDescriptionResolver(field -> {
                    JsonPropertyDescription description = field.getAnnotation(JsonPropertyDescription.class);
                    if (description == null) {
                        description = ofComponent(field.getRawMember());
                    }
                    return description == null ? null : description.value();
                });
        this.builder = new SchemaGenerator(config.build()).buildMultipleSchemaDefinitions();
    }

    private static boolean isNullable(java.lang.reflect.AnnotatedType type) {
        return Arrays.stream(type.getAnnotations()).anyMatch(annotation -> annotation instanceof Nullable);
    }

    private static @Nullable JsonPropertyDescription ofComponent(java.lang.reflect.Field field) {
        if (!field.getDeclaringClass().isRecord()) {
            return null;
        }
        return Arrays.stream(field.getDeclaringClass().getRecordComponents())
                .filter(component -> component.getName().equals(field.getName()))
                .findFirst()
                .map(component -> component.getAccessor().getAnnotation(JsonPropertyDescription.class))
                .orElse(null);
    }

    /** A schema that refers to the description of this type. */
    ObjectNode reference(Type type) {
        return builder.createSchemaReference(type);
    }

    /** The descriptions of all types that were referred to. */
    ObjectNode all() {
        return builder.collectDefinitions("components/schemas");
    }
}
