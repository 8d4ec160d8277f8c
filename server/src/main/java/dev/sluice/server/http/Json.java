package dev.sluice.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** How values go over the wire. */
public final class Json {

    /** No document is deeper than this. */
    private static final int DEPTH_MAX = 100;

    private Json() {}

    /** Reads strictly and leaves out what is null. */
    public static JsonMapper mapper() {
        JsonFactory factory = JsonFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .build();
        return JsonMapper.builder(factory)
                .annotationIntrospector(new NumbersAreRequired())
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .changeDefaultPropertyInclusion(value -> value.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build();
    }

    /** What cannot be null cannot be left out either: a number that nobody wrote is not zero. */
    private static final class NumbersAreRequired extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Boolean hasRequiredMarker(MapperConfig<?> config, AnnotatedMember member) {
            return (member instanceof AnnotatedParameter && member.getRawType().isPrimitive())
                    ? Boolean.TRUE
                    : super.hasRequiredMarker(config, member);
        }
    }
}
