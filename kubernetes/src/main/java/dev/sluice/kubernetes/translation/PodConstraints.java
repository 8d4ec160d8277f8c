package dev.sluice.kubernetes.translation;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.application.Toleration;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a pod may run: node selector, affinities, tolerations, topology spread and host ports. */
final class PodConstraints {

    private final String namespace;
    private final Map<String, String> labels;
    private final Refusals refusals;
    private final Selectors selectors;

    /**
     * Creates a translation for the pods of a namespace with these labels.
     *
     * @param refusals receives what cannot be honoured
     */
    PodConstraints(String namespace, Map<String, String> labels, Refusals refusals) {
        this.namespace = namespace;
        this.labels = labels;
        this.refusals = refusals;
        this.selectors = new Selectors(refusals);
    }

    /** Returns the constraints of a pod. */
    Constraints of(PodSpec spec) {
        Constraints constraints = of(
                "spec",
                spec.getNodeSelector(),
                spec.getAffinity(),
                spec.getTolerations(),
                spec.getTopologySpreadConstraints());
        return constraints.withTasks(constraints.tasks().withPorts(hostPorts(spec)));
    }

    /**
     * Returns constraints from their parts.
     *
     * @param where the field that contains them
     */
    Constraints of(
            String where,
            Map<String, String> nodeSelector,
            @Nullable Affinity affinity,
            List<io.fabric8.kubernetes.api.model.Toleration> tolerations,
            List<TopologySpreadConstraint> spread) {
        TextMap selected = TextMap.copyOf(nodeSelector);
        NodeAffinity nodes = affinity == null || affinity.getNodeAffinity() == null
                ? NodeAffinity.NONE
                : nodeAffinity(where + ".affinity.nodeAffinity", affinity.getNodeAffinity());
        TaskTerms terms = new TaskTerms(namespace, labels, selectors, refusals);
        TaskConstraints tasks = terms.of(where, affinity, spread);
        return new Constraints(selected, nodes, tolerations(where + ".tolerations", tolerations), tasks);
    }

    private NodeAffinity nodeAffinity(String where, io.fabric8.kubernetes.api.model.NodeAffinity affinity) {
        List<NodeSelectorTerm> required = new ArrayList<>();
        NodeSelector selector = affinity.getRequiredDuringSchedulingIgnoredDuringExecution();
        if (selector != null) {
            selector.getNodeSelectorTerms().forEach(term -> required.add(selectors.term(where, term)));
        }
        List<NodePreference> preferred = new ArrayList<>();
        for (PreferredSchedulingTerm each : affinity.getPreferredDuringSchedulingIgnoredDuringExecution()) {
            preferred.add(new NodePreference(each.getWeight(), selectors.term(where, each.getPreference())));
        }
        limit(where, required.size(), NodeAffinity.SIZE_MAX);
        limit(where, preferred.size(), NodeAffinity.PREFERENCES_MAX);
        return new NodeAffinity(required, preferred);
    }

    private List<Toleration> tolerations(String where, List<io.fabric8.kubernetes.api.model.Toleration> tolerations) {
        List<Toleration> translated = new ArrayList<>();
        for (io.fabric8.kubernetes.api.model.Toleration each : tolerations) {
            Toleration toleration = toleration(where, each);
            if (toleration != null) {
                translated.add(toleration);
            }
        }
        return translated;
    }

    private @Nullable Toleration toleration(String where, io.fabric8.kubernetes.api.model.Toleration toleration) {
        Toleration.Operator operator = null;
        String name =
                toleration.getOperator() == null ? Toleration.Operator.EQUAL.wireName() : toleration.getOperator();
        for (Toleration.Operator each : Toleration.Operator.values()) {
            operator = each.wireName().equals(name) ? each : operator;
        }
        TaintEffect effect = null;
        for (TaintEffect each : TaintEffect.values()) {
            effect = each.wireName().equals(toleration.getEffect()) ? each : effect;
        }
        boolean anyEffect =
                toleration.getEffect() == null || toleration.getEffect().isEmpty();
        if (operator == null || (effect == null && !anyEffect)) {
            refusals.add(
                    where,
                    operator == null
                            ? "operator " + name + " is not supported: use Equal or Exists"
                            : "effect " + toleration.getEffect() + " is not supported");
            return null;
        }
        String key = toleration.getKey() == null || toleration.getKey().isEmpty() ? null : toleration.getKey();
        String value = toleration.getValue() == null ? "" : toleration.getValue();
        Long seconds = toleration.getTolerationSeconds();
        Duration limit = seconds == null ? null : Duration.ofSeconds(seconds);
        String problem = Toleration.problem(key, operator, value, effect, limit);
        if (problem != null) {
            refusals.add(where, problem);
            return null;
        }
        return new Toleration(key, operator, value, effect, limit);
    }

    /** Ports of init containers count only if they run beside the containers. */
    private List<HostPort> hostPorts(PodSpec spec) {
        List<Container> running = new ArrayList<>(spec.getContainers());
        spec.getInitContainers().stream()
                .filter(each -> "Always".equals(each.getRestartPolicy()))
                .forEach(running::add);
        boolean hostNetwork = Boolean.TRUE.equals(spec.getHostNetwork());
        Set<HostPort> ports = new LinkedHashSet<>();
        for (Container container : running) {
            for (ContainerPort port : container.getPorts()) {
                Integer number =
                        port.getHostPort() == null && hostNetwork ? port.getContainerPort() : port.getHostPort();
                if (number != null && number > 0) {
                    String protocol = port.getProtocol() == null ? "TCP" : port.getProtocol();
                    String ip =
                            port.getHostIP() == null || port.getHostIP().isEmpty() ? HostPort.ANY_IP : port.getHostIP();
                    ports.add(new HostPort(number, HostPort.Protocol.valueOf(protocol), ip));
                }
            }
        }
        limit("spec.containers.ports", ports.size(), TaskConstraints.SIZE_MAX);
        return List.copyOf(ports);
    }

    private void limit(String where, int size, int max) {
        if (size > max) {
            refusals.add(where, "has " + size + " entries: at most " + max + " are allowed");
        }
    }
}
