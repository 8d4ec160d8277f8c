package dev.sluice.kubernetes.translation;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.sluice.core.resource.Resources;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the annotations of a namespace say about its queue ("Resource Quota Management" in YuniKorn's documentation):
 * {@code yunikorn.apache.org/namespace.quota}, {@code namespace.guaranteed}, {@code namespace.maxApps} and
 * {@code yunikorn.apache.org/parentqueue}, which may also be written {@code namespace.parentqueue}. Those for YuniKorn's
 * admission controller, {@code namespace.enableYuniKorn} and {@code namespace.generateAppId}, have no effect.
 *
 * @param name the name of the namespace
 * @param max the maximum resources of its queue, or null
 * @param guaranteed the guaranteed resources of its queue, or null
 * @param maxApplications the maximum number of running applications of its queue; 0 if unlimited
 * @param parentQueue the queue below which its queue is, or null
 * @param refusals annotations that are without effect, since they are not valid or not supported, and why
 */
public record NamespaceSettings(
        String name,
        @Nullable Resources max,
        @Nullable Resources guaranteed,
        int maxApplications,
        @Nullable String parentQueue,
        List<String> refusals) {

    private static final String NAMESPACE = Metadata.YUNIKORN + "namespace.";
    private static final String MAX_APPLICATIONS = NAMESPACE + "maxApps";
    private static final String PARENT_QUEUE = "parentqueue";
    private static final String ENABLE = NAMESPACE + "enableYuniKorn";
    private static final String GENERATE_ID = NAMESPACE + "generateAppId";

    /** The label with which admission policies choose a namespace. */
    private static final String SCHEDULE = Metadata.SLUICE + "schedule";

    /** Copies the list. */
    public NamespaceSettings {
        refusals = List.copyOf(refusals);
    }

    /** Returns the settings of a namespace without annotations. */
    public static NamespaceSettings none(String name) {
        return new NamespaceSettings(name, null, null, 0, null, List.of());
    }

    /** Returns whether it limits the queue of the namespace, or guarantees it something. */
    public boolean hasQuotas() {
        return max != null || guaranteed != null || maxApplications > 0;
    }

    /** Reads the annotations of a namespace. */
    public static NamespaceSettings of(Namespace namespace) {
        Metadata metadata = new Metadata(namespace);
        Refusals refusals = new Refusals();
        Resources quota = resources(metadata, NAMESPACE + "quota", refusals);
        String parent = metadata.annotation(Metadata.YUNIKORN + PARENT_QUEUE);
        refuseAdmission(metadata, refusals);
        return new NamespaceSettings(
                namespace.getMetadata().getName(),
                quota == null && metadata.annotation(NAMESPACE + "quota") == null
                        ? deprecatedQuota(metadata, refusals)
                        : quota,
                resources(metadata, NAMESPACE + "guaranteed", refusals),
                maxApplications(metadata, refusals),
                parent == null ? metadata.annotation(NAMESPACE + PARENT_QUEUE) : parent,
                refusals.reasons());
    }

    /** Returns the tags with which placement rules find the queue of an application of this namespace. */
    public SortedMap<String, String> tags() {
        SortedMap<String, String> tags = new TreeMap<>();
        tags.put("namespace", name);
        if (parentQueue != null) {
            tags.put("namespace." + PARENT_QUEUE, parentQueue);
        }
        return tags;
    }

    /** Refuses what YuniKorn's admission controller would do with pods that are created. */
    private static void refuseAdmission(Metadata metadata, Refusals refusals) {
        if ("true".equals(metadata.annotation(ENABLE)) && !"enabled".equals(metadata.label(SCHEDULE))) {
            refusals.add(
                    "annotation " + ENABLE,
                    "pods of this namespace are not assigned to a scheduler by it: label the namespace " + SCHEDULE
                            + "=enabled");
        }
        if ("true".equals(metadata.annotation(GENERATE_ID))) {
            refusals.add(
                    "annotation " + GENERATE_ID,
                    "pods without an application id belong to the application of their owner: label those that are to"
                            + " be one application with " + Metadata.YUNIKORN + "app-id");
        }
    }

    private static @Nullable Resources resources(Metadata metadata, String key, Refusals refusals) {
        Map<String, String> amounts = JsonAnnotation.read(
                metadata, key, new TypeReference<>() {}, "{\"cpu\": \"64\", \"memory\": \"100Gi\"}", refusals);
        return amounts == null ? null : resources(key, amounts, refusals);
    }

    private static @Nullable Resources deprecatedQuota(Metadata metadata, Refusals refusals) {
        Map<String, String> amounts = new LinkedHashMap<>();
        for (String type : List.of("cpu", "memory")) {
            String amount = metadata.annotation(NAMESPACE + "max." + type);
            if (amount != null) {
                amounts.put(type, amount);
            }
        }
        return amounts.isEmpty() ? null : resources(NAMESPACE + "max", amounts, refusals);
    }

    private static @Nullable Resources resources(String key, Map<String, String> amounts, Refusals refusals) {
        Map<String, Quantity> quantities = new LinkedHashMap<>();
        for (Map.Entry<String, String> amount : amounts.entrySet()) {
            try {
                Quantity quantity = Quantity.parse(amount.getValue());
                Amounts unused = Amounts.of(Map.of(amount.getKey(), quantity));
                if (quantity.getNumericalAmount().signum() < 0
                        || amount.getKey().isEmpty()) {
                    throw new IllegalArgumentException("negative, or without a type");
                }
                quantities.put(amount.getKey(), quantity);
            } catch (IllegalArgumentException | ArithmeticException | NullPointerException e) {
                refusals.add(
                        "annotation " + key,
                        "\"" + amount.getValue() + "\" is not a quantity of " + amount.getKey()
                                + ": write a number with an optional unit, such as 500m, 2 or 100Gi");
                return null;
            }
        }
        return Amounts.of(quantities).resources();
    }

    private static int maxApplications(Metadata metadata, Refusals refusals) {
        String text = metadata.annotation(MAX_APPLICATIONS);
        if (text == null) {
            return 0;
        }
        if (!text.matches("[0-9]{1,9}") || text.matches("0+")) {
            refusals.add("annotation " + MAX_APPLICATIONS, "\"" + text + "\" must be a number greater than 0");
            return 0;
        }
        return Integer.parseInt(text);
    }
}
