package dev.sluice.kubernetes.translation;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Reads objects of Kubernetes from YAML. What a test does not care about is filled in. */
public final class Manifests {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Manifests() {}

    /** Returns a pod {@code team-a/web-0} with this metadata and specification. */
    public static Pod pod(String metadata, String spec) {
        return pod("{metadata: {" + metadata + "}, spec: {" + spec + "}}");
    }

    /** Returns a pod, by default {@code team-a/web-0}. */
    public static Pod pod(String yaml) {
        return read(yaml, Pod.class, Map.of("name", "web-0", "namespace", "team-a", "uid", "1b4e28ba-2fa1-11d2-883f"));
    }

    /** Returns a node, by default {@code n}. */
    public static Node node(String yaml) {
        return read(yaml, Node.class, Map.of("name", "n"));
    }

    /** Returns a namespace {@code team-a} with these annotations. */
    public static Namespace namespace(String annotations) {
        return namespace(annotations, "");
    }

    /** Returns a namespace {@code team-a} with these annotations and labels. */
    public static Namespace namespace(String annotations, String labels) {
        return read(
                "{metadata: {annotations: {" + annotations + "}, labels: {" + labels + "}}}",
                Namespace.class,
                Map.of("name", "team-a"));
    }

    /** Returns a config map, by default in namespace {@code sluice}. */
    public static ConfigMap configMap(String yaml) {
        return read(yaml, ConfigMap.class, Map.of("namespace", "sluice"));
    }

    /** Returns a priority class with these annotations. */
    public static PriorityClass priorityClass(String name, String annotations) {
        return read(
                "{metadata: {annotations: {" + annotations + "}}, value: 1000}",
                PriorityClass.class,
                Map.of("name", name));
    }

    /** Returns a claim {@code team-a/data} with this specification and these annotations. */
    public static PersistentVolumeClaim claim(String annotations, String spec) {
        return claim("{metadata: {annotations: {" + annotations + "}}, spec: {" + spec + "}}");
    }

    /** Returns a claim, by default {@code team-a/data}. */
    public static PersistentVolumeClaim claim(String yaml) {
        return read(yaml, PersistentVolumeClaim.class, Map.of("name", "data", "namespace", "team-a", "uid", "c1"));
    }

    /** Returns a volume of claim {@code team-a/data}, by default {@code pv}. */
    public static PersistentVolume volume(String labels, String spec) {
        return read(
                "{metadata: {labels: {" + labels + "}}, spec: {claimRef: {namespace: team-a, name: data}, " + spec
                        + "}}",
                PersistentVolume.class,
                Map.of("name", "pv"));
    }

    /** Returns a storage class, by default {@code fast}. */
    public static StorageClass storageClass(String yaml) {
        return read(yaml, StorageClass.class, Map.of("name", "fast"));
    }

    private static <T> T read(String yaml, Class<T> type, Map<String, Object> defaults) {
        Map<String, Object> root = asMap(new Load(LoadSettings.builder().build()).loadFromString(yaml));
        Map<String, Object> metadata = new LinkedHashMap<>(defaults);
        metadata.putAll(asMap(root.getOrDefault("metadata", Map.of())));
        root.put("metadata", metadata);
        return JSON.convertValue(root, type);
    }

    @SuppressWarnings("unchecked") // keys of these files are texts
    private static Map<String, Object> asMap(Object value) {
        return new LinkedHashMap<>((Map<String, Object>) value);
    }
}
