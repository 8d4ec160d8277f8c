package dev.sluice.kubernetes.translation;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/** Labels and annotations of an object; an empty value counts as missing. */
final class Metadata {

    /** The prefix of Sluice's own labels and annotations. */
    static final String SLUICE = "sluice.dev/";

    /** The prefix of YuniKorn's labels and annotations. */
    static final String YUNIKORN = "yunikorn.apache.org/";

    private final HasMetadata object;

    Metadata(HasMetadata object) {
        this.object = object;
    }

    /** Returns the label with this key, or null. */
    @Nullable String label(String key) {
        return present(object.getMetadata().getLabels().get(key));
    }

    /** Returns the annotation with this key, or null. */
    @Nullable String annotation(String key) {
        return present(object.getMetadata().getAnnotations().get(key));
    }

    /** Returns whether there is an annotation with this key, whatever its value. */
    boolean hasAnnotation(String key) {
        return object.getMetadata().getAnnotations().containsKey(key);
    }

    /** Returns the label with this key, otherwise the annotation, or null. */
    @Nullable String labelOrAnnotation(String key) {
        String label = label(key);
        return label == null ? annotation(key) : label;
    }

    private static @Nullable String present(@Nullable String value) {
        return value == null || value.isEmpty() ? null : value;
    }
}
