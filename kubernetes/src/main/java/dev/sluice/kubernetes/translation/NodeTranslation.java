package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.ResourceTypes;
import dev.sluice.core.resource.Resources;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Describes nodes.
 *
 * <p>Conditions and cordons become the taints with which the controllers of Kubernetes answer them ("Taint nodes by
 * condition" in its documentation), unless the node has them already: so they hold at once, and pods that tolerate them
 * start there.
 */
public final class NodeTranslation {

    private static final String PREFIX = "node.kubernetes.io/";
    private static final String READY = "Ready";
    private static final String TRUE = "True";

    /** The taints of conditions that are true. */
    private static final Map<String, String> PRESSURES = Map.of(
            "MemoryPressure", "memory-pressure",
            "DiskPressure", "disk-pressure",
            "PIDPressure", "pid-pressure",
            "NetworkUnavailable", "network-unavailable");

    private NodeTranslation() {}

    /** Returns a node with all its allocatable resources, as if no pod used it. */
    public static NodeDescription describe(Node node) {
        return new NodeDescription(
                node.getMetadata().getName(),
                capacity(node.getStatus()),
                new TreeMap<>(node.getMetadata().getLabels()),
                taints(node));
    }

    /** Leaves out what the node does not have, since the number of resource types of a partition is limited. */
    private static Resources capacity(@Nullable NodeStatus status) {
        Resources allocatable = status == null
                ? Resources.NONE
                : Amounts.of(status.getAllocatable()).resources();
        SortedMap<String, Amount> present = new TreeMap<>();
        allocatable.amounts().forEach((type, amount) -> {
            if (amount.value() > 0) {
                present.put(type, amount);
            }
        });
        present.putIfAbsent(ResourceTypes.VCORE, Amount.ZERO);
        present.putIfAbsent(ResourceTypes.SLOTS, Amount.ZERO);
        return Resources.of(present);
    }

    private static List<Taint> taints(Node node) {
        List<Taint> taints = new ArrayList<>();
        NodeSpec spec = node.getSpec();
        if (spec != null) {
            spec.getTaints().forEach(taint -> taints.add(taint(taint)));
            if (Boolean.TRUE.equals(spec.getUnschedulable())) {
                exclude(taints, "unschedulable");
            }
        }
        String ready = "False";
        List<NodeCondition> conditions =
                node.getStatus() == null ? List.of() : node.getStatus().getConditions();
        for (NodeCondition condition : conditions) {
            String pressure = PRESSURES.get(condition.getType());
            if (condition.getType().equals(READY)) {
                ready = condition.getStatus();
            } else if (pressure != null && TRUE.equals(condition.getStatus())) {
                exclude(taints, pressure);
            }
        }
        if (!TRUE.equals(ready)) {
            exclude(taints, "Unknown".equals(ready) ? "unreachable" : "not-ready");
        }
        return taints;
    }

    private static void exclude(List<Taint> taints, String key) {
        Taint taint = new Taint(PREFIX + key, "", TaintEffect.NO_SCHEDULE);
        if (taints.stream().noneMatch(taint::isAbout)) {
            taints.add(taint);
        }
    }

    private static Taint taint(io.fabric8.kubernetes.api.model.Taint taint) {
        TaintEffect effect = effect(taint.getEffect());
        String value = taint.getValue() == null ? "" : taint.getValue();
        boolean dated = effect == TaintEffect.NO_EXECUTE && taint.getTimeAdded() != null;
        return new Taint(taint.getKey(), value, effect, dated ? Instant.parse(taint.getTimeAdded()) : null);
    }

    /** An effect of a later version of Kubernetes keeps pods away, which is never wrong for those that run. */
    private static TaintEffect effect(String name) {
        for (TaintEffect effect : TaintEffect.values()) {
            if (effect.wireName().equals(name)) {
                return effect;
            }
        }
        return TaintEffect.NO_SCHEDULE;
    }
}
