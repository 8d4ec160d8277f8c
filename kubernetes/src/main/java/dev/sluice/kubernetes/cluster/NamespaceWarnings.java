package dev.sluice.kubernetes.cluster;

import dev.sluice.kubernetes.translation.NamespaceSettings;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once about annotations of a namespace that are not valid and have no effect, until they change. The event is
 * in the namespace itself, where its users see it: those of its waiting pods have another reason, or none.
 */
final class NamespaceWarnings {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceWarnings.class);

    private final BiConsumer<ObjectReference, String> refused;
    private final Map<String, List<String>> known = new HashMap<>();

    /**
     * Creates warnings about nothing.
     *
     * @param refused receives namespaces with annotations that are not valid, with the reason
     */
    NamespaceWarnings(BiConsumer<ObjectReference, String> refused) {
        this.refused = refused;
    }

    /** Warns about a namespace unless it has been warned about the same. */
    void put(Namespace namespace) {
        String name = namespace.getMetadata().getName();
        List<String> refusals = NamespaceSettings.of(namespace).refusals();
        List<String> former = refusals.isEmpty() ? known.remove(name) : known.put(name, refusals);
        if (!refusals.isEmpty() && !refusals.equals(former)) {
            String message = String.join("; ", refusals);
            LOG.warn("annotations without effect: namespace={}, reason={}", name, message);
            refused.accept(reference(namespace), message);
        }
    }

    /** Forgets a namespace that is gone. */
    void remove(String name) {
        known.remove(name);
    }

    private static ObjectReference reference(Namespace namespace) {
        return new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("Namespace")
                .withNamespace(namespace.getMetadata().getName())
                .withName(namespace.getMetadata().getName())
                .withUid(namespace.getMetadata().getUid())
                .build();
    }
}
