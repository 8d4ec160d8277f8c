package dev.sluice.kubernetes.creation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Labels and annotations that a task gives its pod: those of {@code pod.metadata}, and the labels of the task itself.
 *
 * <p>Keys by which Sluice, YuniKorn or Kubernetes recognize and treat pods are reserved. Of the recommended labels of
 * Kubernetes, {@code app.kubernetes.io/managed-by} is.
 */
final class PodMetadata {

    private static final String LABELS = "labels";
    private static final String ANNOTATIONS = "annotations";
    private static final List<String> FIELDS = List.of(LABELS, ANNOTATIONS);

    /** Reserved also where tasks have no restrictions, since pods are recognized by them. */
    private static final List<String> OWN_DOMAINS = List.of("sluice.dev", "yunikorn.apache.org");

    private static final List<String> DOMAINS = List.of("kubernetes.io", "k8s.io");
    private static final String RECOMMENDED = "app.kubernetes.io";

    private static final Pattern KEY = Pattern.compile(
            "([a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?/)?" + "[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL = Pattern.compile("([A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?)?");

    private PodMetadata() {}

    /**
     * Reports what is refused.
     *
     * @param metadata the field {@code metadata} of a task's pod
     * @param unrestricted whether tasks may use keys of Kubernetes
     * @param refusals receives fields and reasons
     */
    static void check(JsonNode metadata, boolean unrestricted, BiConsumer<String, String> refusals) {
        if (!metadata.isMissingNode() && !metadata.isObject()) {
            refusals.accept("pod.metadata", "must be a map of labels and annotations");
            return;
        }
        for (Iterator<String> names = metadata.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            String where = "pod.metadata." + name;
            if (!FIELDS.contains(name)) {
                refusals.accept(where, "only labels and annotations are allowed: remove it");
            } else if (!metadata.path(name).isObject()) {
                refusals.accept(where, "must be a map of keys and texts");
            } else {
                metadata.path(name).properties().forEach(entry -> {
                    String problem = problem(entry, name.equals(LABELS), unrestricted);
                    if (!problem.isEmpty()) {
                        refusals.accept(where + "." + entry.getKey(), problem);
                    }
                });
            }
        }
    }

    private static String problem(Map.Entry<String, JsonNode> entry, boolean isLabel, boolean unrestricted) {
        String key = entry.getKey();
        if (!KEY.matcher(key).matches()) {
            return "is not a valid key, such as team or example.com/team";
        }
        if (isReserved(key, unrestricted)) {
            return "is reserved: use another key";
        }
        if (!entry.getValue().isTextual()) {
            return "must be text: put the value in quotes";
        }
        return isLabel && !LABEL.matcher(entry.getValue().textValue()).matches()
                ? "must have at most 63 letters, digits, '-', '_' and '.', and begin and end with a letter or digit"
                : "";
    }

    /** Returns the labels of the pod; those of the task that are none of a pod are left out. */
    static SortedMap<String, String> labels(Map<String, String> ofTask, JsonNode metadata) {
        SortedMap<String, String> labels = new TreeMap<>();
        ofTask.forEach((key, value) -> {
            if (KEY.matcher(key).matches() && LABEL.matcher(value).matches() && !isReserved(key, false)) {
                labels.put(key, value);
            }
        });
        labels.putAll(texts(metadata.path(LABELS)));
        return labels;
    }

    /** Returns the annotations of the pod. */
    static SortedMap<String, String> annotations(JsonNode metadata) {
        return texts(metadata.path(ANNOTATIONS));
    }

    private static SortedMap<String, String> texts(JsonNode map) {
        SortedMap<String, String> texts = new TreeMap<>();
        map.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    private static boolean isReserved(String key, boolean unrestricted) {
        String domain = key.substring(0, Math.max(0, key.indexOf('/')));
        if (key.equals(PodRun.MANAGED_BY) || isWithin(domain, OWN_DOMAINS)) {
            return true;
        }
        return !unrestricted && !domain.equals(RECOMMENDED) && isWithin(domain, DOMAINS);
    }

    private static boolean isWithin(String domain, List<String> domains) {
        return domains.stream().anyMatch(each -> domain.equals(each) || domain.endsWith("." + each));
    }
}
