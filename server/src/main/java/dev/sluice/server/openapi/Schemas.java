package dev.sluice.server.openapi;

import com.fasterxml.classmate.ResolvedType;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaBuilder;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import dev.sluice.server.http.RequiredFields;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** JSON schemas of the API's records; required fields and descriptions come from annotations. */
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
                .withPropertyNameOverrideResolver(field -> nameOf(field.getRawMember()))
                .withRequiredCheck(field -> !isOptional(field.getRawMember()))
                .withDescriptionResolver(
                        field -> field.isFakeContainerItemScope() ? null : descriptionOf(field.getRawMember()));
        config.forTypesInGeneral()
                .withCustomDefinitionProvider(
                        (type, context) -> type.isInstanceOf(Map.class) ? inline(type, context) : null);
        this.builder = new SchemaGenerator(config.build()).buildMultipleSchemaDefinitions();
    }

    /** Inlines maps, which need no named schema. */
    private static CustomDefinition inline(ResolvedType type, SchemaGenerationContext context) {
        ObjectNode map = context.getGeneratorConfig().createObjectNode().put("type", "object");
        ResolvedType value = context.getTypeContext().getTypeParameterFor(type, Map.class, 1);
        map.set("additionalProperties", context.createDefinitionReference(value));
        return new CustomDefinition(
                map, CustomDefinition.DefinitionType.INLINE, CustomDefinition.AttributeInclusion.YES);
    }

    private static boolean isOptional(Field field) {
        RecordComponent component = componentOf(field);
        return component == null || RequiredFields.isOptional(component);
    }

    /** Returns the name of a property whose component cannot have it, or null. */
    private static @Nullable String nameOf(Field field) {
        JsonProperty property = field.getAnnotation(JsonProperty.class);
        return property == null ? null : property.value();
    }

    private static @Nullable RecordComponent componentOf(Field field) {
        if (!field.getDeclaringClass().isRecord()) {
            return null;
        }
        return Arrays.stream(field.getDeclaringClass().getRecordComponents())
                .filter(component -> component.getName().equals(field.getName()))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String descriptionOf(Field field) {
        JsonPropertyDescription description = field.getAnnotation(JsonPropertyDescription.class);
        RecordComponent component = componentOf(field);
        if (description == null && component != null) {
            description = component.getAccessor().getAnnotation(JsonPropertyDescription.class);
        }
        return description == null ? null : description.value();
    }

    /** Returns a schema that references the definition of this type. */
    ObjectNode reference(Type type) {
        return builder.createSchemaReference(type);
    }

    /** Returns the definitions of all referenced types. */
    ObjectNode all() {
        return builder.collectDefinitions("components/schemas");
    }
}
