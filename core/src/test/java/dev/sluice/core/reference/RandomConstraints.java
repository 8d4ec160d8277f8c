package dev.sluice.core.reference;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorRequirement.Operator;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.Topology;
import dev.sluice.core.application.TopologySpread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Random taints of nodes and constraints of tasks on nodes and other tasks, with so few keys and values that they often
 * meet.
 */
final class RandomConstraints {

    private static final int CONSTRAINED_PERCENT = 60;

    private final RandomSource chance;
    private final int nodesMax;

    RandomConstraints(RandomSource chance, int nodesMax) {
        this.chance = chance;
        this.nodesMax = nodesMax;
    }

    /** Adds a label that is mostly a number. */
    SortedMap<String, String> labelled(SortedMap<String, String> labels) {
        if (chance.percent(60)) {
            labels.put("generation", chance.of("1", "2", "3", "10", "old"));
        }
        return labels;
    }

    /** Returns the taints of a node, mostly none. */
    List<Taint> taints() {
        List<Taint> taints = new ArrayList<>();
        for (String key : List.of("gpu", "team", "maintenance")) {
            if (chance.percent(20)) {
                taints.add(new Taint(key, chance.of("", "a"), chance.of(TaintEffect.values())));
            }
        }
        return taints;
    }

    /** Returns these constraints with some more. */
    Constraints more(Constraints constraints) {
        if (!chance.percent(CONSTRAINED_PERCENT)) {
            return constraints;
        }
        List<NodePreference> preferences = some(2, () -> new NodePreference(chance.of(1, 2, 2, 50, 100), term()));
        return constraints
                .withTasks(chance.percent(60) ? tasks() : TaskConstraints.NONE)
                .withNodeAffinity(new NodeAffinity(chance.percent(40) ? some(2, this::term) : List.of(), preferences))
                .withTolerations(chance.percent(60) ? some(2, this::toleration) : List.of());
    }

    private TaskConstraints tasks() {
        SortedMap<String, String> labels = new TreeMap<>();
        if (chance.percent(70)) {
            labels.put("app", chance.of("a", "b"));
        }
        if (chance.percent(20)) {
            labels.put("tier", "front");
        }
        return new TaskConstraints(
                labels,
                chance.percent(25) ? affinity() : TaskAffinity.NONE,
                chance.percent(35) ? affinity() : TaskAffinity.NONE,
                chance.percent(40) ? some(2, this::spread) : List.of(),
                chance.percent(20)
                        ? some(
                                2,
                                () -> new HostPort(
                                        chance.of(80, 81),
                                        chance.of(HostPort.Protocol.TCP, HostPort.Protocol.TCP, HostPort.Protocol.UDP),
                                        chance.of("0.0.0.0", "127.0.0.1", "10.0.0.1")))
                        : List.of(),
                chance.percent(15) ? chance.of(1, 2) : 0);
    }

    private TaskAffinity affinity() {
        return new TaskAffinity(
                some(chance.of(1, 1, 2), this::taskTerm),
                some(2, () -> new TaskPreference(chance.of(1, 2, 2, 50, 100), taskTerm())));
    }

    private TaskTerm taskTerm() {
        return new TaskTerm(labelSelector(), topologyKey());
    }

    private String topologyKey() {
        return chance.of("zone", "zone", "generation", "disk", Topology.HOST, Topology.HOST);
    }

    private LabelSelector labelSelector() {
        if (chance.percent(60)) {
            return LabelSelector.of(Map.of("app", chance.of("a", "b")), List.of());
        }
        Operator operator = chance.of(Operator.IN, Operator.NOT_IN, Operator.EXISTS, Operator.DOES_NOT_EXIST);
        boolean compares = operator == Operator.IN || operator == Operator.NOT_IN;
        return LabelSelector.of(
                chance.percent(20) ? Map.of("tier", "front") : Map.of(),
                chance.percent(5)
                        ? List.of()
                        : List.of(new NodeSelectorRequirement(
                                chance.of("app", "tier"), operator, compares ? List.of("a", "front") : List.of())));
    }

    private TopologySpread spread() {
        boolean required = chance.percent(60);
        return new TopologySpread(
                chance.of(1, 1, 2),
                topologyKey(),
                required,
                labelSelector(),
                required && chance.percent(20) ? chance.of(2, 3) : 1,
                chance.percent(70),
                chance.percent(30));
    }

    private <T> List<T> some(int most, Supplier<T> next) {
        List<T> list = new ArrayList<>();
        for (int left = chance.below(most + 1); left > 0; left--) {
            list.add(next.get());
        }
        return list;
    }

    private NodeSelectorTerm term() {
        List<NodeSelectorRequirement> names = chance.percent(10)
                ? List.of(new NodeSelectorRequirement(
                        NodeSelectorRequirement.NAME_FIELD,
                        chance.of(Operator.IN, Operator.NOT_IN),
                        List.of("n" + chance.below(nodesMax))))
                : List.of();
        return new NodeSelectorTerm(some(2, this::requirement), names);
    }

    private NodeSelectorRequirement requirement() {
        Operator operator = chance.of(Operator.values());
        String key = chance.of("zone", "disk", "generation");
        return switch (operator) {
            case IN, NOT_IN ->
                new NodeSelectorRequirement(
                        key, operator, chance.percent(50) ? List.of("x", "ssd", "1") : List.of(chance.of("y", "2")));
            case EXISTS, DOES_NOT_EXIST -> new NodeSelectorRequirement(key, operator, List.of());
            case GT, LT -> new NodeSelectorRequirement("generation", operator, List.of(chance.of("1", "2", "-1")));
        };
    }

    private Toleration toleration() {
        String key = chance.of("gpu", "team", "maintenance");
        TaintEffect effect = chance.percent(60) ? chance.of(TaintEffect.values()) : null;
        Duration limit = effect == TaintEffect.NO_EXECUTE && chance.percent(60)
                ? Duration.ofSeconds(chance.of(0, 1, 60, 200))
                : null;
        if (chance.percent(10)) {
            return new Toleration(null, Toleration.Operator.EXISTS, "", effect, limit);
        }
        boolean exists = chance.percent(40);
        return new Toleration(
                key,
                exists ? Toleration.Operator.EXISTS : Toleration.Operator.EQUAL,
                exists ? "" : chance.of("", "a"),
                effect,
                limit);
    }
}
