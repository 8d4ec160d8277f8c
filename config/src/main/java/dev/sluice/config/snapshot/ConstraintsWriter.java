package dev.sluice.config.snapshot;

import dev.sluice.config.output.Output;
import dev.sluice.config.output.Output.OutputList;
import dev.sluice.config.output.Output.OutputMap;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.TopologySpread;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Writes the constraints of tasks, and the taints of nodes, as files have them. */
public final class ConstraintsWriter {

    private ConstraintsWriter() {}

    /** Adds the keys of these constraints to those of a task. */
    public static void put(OutputMap task, Constraints constraints) {
        if (!constraints.nodeSelector().isEmpty()) {
            task.put("nodeSelector", Output.texts(constraints.nodeSelector()));
        }
        TaskConstraints tasks = constraints.tasks();
        if (!tasks.labels().isEmpty()) {
            task.put("labels", Output.texts(tasks.labels()));
        }
        OutputMap affinities = new OutputMap();
        NodeAffinity affinity = constraints.nodeAffinity();
        if (!affinity.isEmpty()) {
            OutputMap nodes = new OutputMap();
            if (!affinity.required().isEmpty()) {
                nodes.put(
                        ConstraintKeys.REQUIRED,
                        new OutputMap().put("nodeSelectorTerms", list(affinity.required(), ConstraintsWriter::term)));
            }
            if (!affinity.preferred().isEmpty()) {
                nodes.put(ConstraintKeys.PREFERRED, list(affinity.preferred(), ConstraintsWriter::preference));
            }
            affinities.put("nodeAffinity", nodes);
        }
        putAffinity(affinities, "podAffinity", tasks.affinity());
        putAffinity(affinities, "podAntiAffinity", tasks.antiAffinity());
        if (!affinities.isEmpty()) {
            task.put("affinity", affinities);
        }
        if (!tasks.spread().isEmpty()) {
            task.put("topologySpreadConstraints", list(tasks.spread(), ConstraintsWriter::spread));
        }
        if (!tasks.ports().isEmpty()) {
            task.put("ports", list(tasks.ports(), ConstraintsWriter::port));
        }
        if (tasks.perNode() > 0) {
            task.put("pernode", Output.number(tasks.perNode()));
        }
        if (!constraints.tolerations().isEmpty()) {
            task.put("tolerations", list(constraints.tolerations(), ConstraintsWriter::toleration));
        }
    }

    private static void putAffinity(OutputMap affinities, String key, TaskAffinity affinity) {
        if (affinity.isEmpty()) {
            return;
        }
        OutputMap map = new OutputMap();
        if (!affinity.required().isEmpty()) {
            map.put(ConstraintKeys.REQUIRED, list(affinity.required(), ConstraintsWriter::taskTerm));
        }
        if (!affinity.preferred().isEmpty()) {
            map.put(
                    ConstraintKeys.PREFERRED,
                    list(
                            affinity.preferred(),
                            each -> new OutputMap()
                                    .put("weight", Output.number(each.weight()))
                                    .put("podAffinityTerm", taskTerm(each.term()))));
        }
        affinities.put(key, map);
    }

    private static OutputMap taskTerm(TaskTerm term) {
        return new OutputMap()
                .put("labelSelector", selector(term.selector()))
                .put("topologyKey", Output.text(term.topologyKey()));
    }

    private static Output selector(LabelSelector selector) {
        return selector.matchExpressions().isEmpty()
                ? new OutputMap()
                : new OutputMap()
                        .put("matchExpressions", list(selector.matchExpressions(), ConstraintsWriter::requirement));
    }

    private static Output spread(TopologySpread spread) {
        OutputMap map = new OutputMap()
                .put("maxSkew", Output.number(spread.maxSkew()))
                .put("topologyKey", Output.text(spread.topologyKey()))
                .put(
                        "whenUnsatisfiable",
                        Output.text(
                                spread.required() ? ConstraintKeys.DO_NOT_SCHEDULE : ConstraintKeys.SCHEDULE_ANYWAY))
                .put("labelSelector", selector(spread.selector()));
        if (spread.minDomains() > 1) {
            map.put("minDomains", Output.number(spread.minDomains()));
        }
        if (!spread.honorAffinity()) {
            map.put("nodeAffinityPolicy", Output.text(ConstraintKeys.IGNORE));
        }
        return spread.honorTaints() ? map.put("nodeTaintsPolicy", Output.text(ConstraintKeys.HONOR)) : map;
    }

    private static Output port(HostPort port) {
        OutputMap map = new OutputMap().put("hostPort", Output.number(port.port()));
        if (port.protocol() != HostPort.Protocol.TCP) {
            map.put("protocol", Output.text(port.protocol().name()));
        }
        return port.ip().equals(HostPort.ANY_IP) ? map : map.put("hostIP", Output.text(port.ip()));
    }

    private static <T> Output list(List<T> values, Function<T, Output> maker) {
        return OutputList.of(values, maker);
    }

    private static Output preference(NodePreference preference) {
        return new OutputMap()
                .put("weight", Output.number(preference.weight()))
                .put("preference", term(preference.preference()));
    }

    private static Output term(NodeSelectorTerm term) {
        OutputMap map = new OutputMap();
        if (!term.matchExpressions().isEmpty()) {
            map.put("matchExpressions", list(term.matchExpressions(), ConstraintsWriter::requirement));
        }
        if (!term.matchFields().isEmpty()) {
            map.put("matchFields", list(term.matchFields(), ConstraintsWriter::requirement));
        }
        return map;
    }

    private static Output requirement(NodeSelectorRequirement requirement) {
        OutputMap map = new OutputMap()
                .put("key", Output.text(requirement.key()))
                .put("operator", Output.text(requirement.operator().wireName()));
        return requirement.values().isEmpty() ? map : map.put("values", Output.texts(requirement.values()));
    }

    private static Output toleration(Toleration toleration) {
        OutputMap map = new OutputMap();
        if (toleration.key() != null) {
            map.put("key", Output.text(toleration.key()));
        }
        map.put("operator", Output.text(toleration.operator().wireName()));
        if (!toleration.value().isEmpty()) {
            map.put("value", Output.text(toleration.value()));
        }
        if (toleration.effect() != null) {
            map.put("effect", Output.text(toleration.effect().wireName()));
        }
        Duration limit = toleration.limit();
        return limit == null ? map : map.put("tolerationSeconds", Output.number(limit.toSeconds()));
    }

    /** Returns a taint as files have it. */
    public static Output taint(Taint taint) {
        OutputMap map = new OutputMap().put("key", Output.text(taint.key()));
        if (!taint.value().isEmpty()) {
            map.put("value", Output.text(taint.value()));
        }
        map.put("effect", Output.text(taint.effect().wireName()));
        Instant added = taint.timeAdded();
        return added == null ? map : map.put("timeAdded", Output.text(added.toString()));
    }
}
