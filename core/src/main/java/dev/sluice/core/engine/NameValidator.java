package dev.sluice.core.engine;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskKind;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.core.command.Refusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Refuses control characters in names: configuration files cannot contain them, and terminals interpret them. */
final class NameValidator {

    private NameValidator() {}

    /** Validates the names of an application without its tasks; returns null if they are valid. */
    static @Nullable Refusal validate(ApplicationSpec spec) {
        Refusal refusal = validate("application id", spec.id());
        refusal = refusal == null ? validate("application name", spec.name()) : refusal;
        refusal = refusal == null ? validate("user", spec.user()) : refusal;
        refusal = refusal == null ? validate("queue", spec.queue()) : refusal;
        refusal = refusal == null ? validate("tag", spec.tag()) : refusal;
        refusal = refusal == null ? validate("basis", spec.basis()) : refusal;
        for (String group : spec.groups()) {
            refusal = refusal == null ? validate("group", group) : refusal;
        }
        return refusal == null ? validate("application tag", spec.tags()) : refusal;
    }

    /** Validates the names of tasks; returns null if they are valid. */
    static @Nullable Refusal validate(List<TaskSpec> tasks) {
        for (TaskSpec task : tasks) {
            TaskKind kind = task.kind();
            Refusal refusal = validate("task id", task.name());
            refusal = refusal == null ? validate("durationkey", kind.durationKey()) : refusal;
            refusal = refusal == null ? validate("required node", kind.requiredNode()) : refusal;
            refusal = refusal == null ? validate(kind.constraints()) : refusal;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private static @Nullable Refusal validate(Constraints constraints) {
        Refusal refusal = validate("node selector", constraints.nodeSelector());
        for (NodeSelectorTerm term : constraints.nodeAffinity().required()) {
            refusal = refusal == null ? validate(term) : refusal;
        }
        for (NodePreference each : constraints.nodeAffinity().preferred()) {
            refusal = refusal == null ? validate(each.preference()) : refusal;
        }
        for (Toleration toleration : constraints.tolerations()) {
            refusal = refusal == null ? validate("toleration", toleration.key()) : refusal;
            refusal = refusal == null ? validate("toleration", toleration.value()) : refusal;
        }
        return refusal == null ? validate(constraints.tasks()) : refusal;
    }

    private static @Nullable Refusal validate(TaskConstraints constraints) {
        Refusal refusal = validate("task label", constraints.labels());
        for (TaskAffinity affinity : List.of(constraints.affinity(), constraints.antiAffinity())) {
            for (TaskTerm term : affinity.required()) {
                refusal = refusal == null ? validate("pod affinity", term.topologyKey(), term.selector()) : refusal;
            }
            for (TaskPreference each : affinity.preferred()) {
                TaskTerm term = each.term();
                refusal = refusal == null ? validate("pod affinity", term.topologyKey(), term.selector()) : refusal;
            }
        }
        for (TopologySpread each : constraints.spread()) {
            refusal = refusal == null ? validate("topology spread", each.topologyKey(), each.selector()) : refusal;
        }
        for (HostPort port : constraints.ports()) {
            refusal = refusal == null ? validate("host port", port.ip()) : refusal;
        }
        return refusal;
    }

    private static @Nullable Refusal validate(String what, String topologyKey, LabelSelector selector) {
        Refusal refusal = validate(what, topologyKey);
        for (NodeSelectorRequirement each : selector.matchExpressions()) {
            refusal = refusal == null ? validate(what, each) : refusal;
        }
        return refusal;
    }

    private static @Nullable Refusal validate(NodeSelectorTerm term) {
        Refusal refusal = null;
        for (NodeSelectorRequirement field : term.matchFields()) {
            refusal = refusal == null ? validate("node affinity", field) : refusal;
        }
        for (NodeSelectorRequirement expression : term.matchExpressions()) {
            refusal = refusal == null ? validate("node affinity", expression) : refusal;
        }
        return refusal;
    }

    private static @Nullable Refusal validate(String what, NodeSelectorRequirement requirement) {
        Refusal refusal = validate(what, requirement.key());
        for (String value : requirement.values()) {
            refusal = refusal == null ? validate(what, value) : refusal;
        }
        return refusal;
    }

    /** Validates the texts of taints; returns null if they are valid. */
    static @Nullable Refusal validateTaints(List<Taint> taints) {
        for (Taint taint : taints) {
            Refusal refusal = validate("taint", taint.key());
            refusal = refusal == null ? validate("taint", taint.value()) : refusal;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /** Validates keys and values; returns null if they are valid. */
    static @Nullable Refusal validate(String what, Map<String, String> texts) {
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            Refusal refusal = validate(what, entry.getKey());
            refusal = refusal == null ? validate(what, entry.getValue()) : refusal;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    /**
     * Validates one name; returns null if it is valid or absent.
     *
     * @param what the kind of name, for the message
     */
    static @Nullable Refusal validate(String what, @Nullable String name) {
        if (name == null) {
            return null;
        }
        for (int i = 0; i < name.length(); i++) {
            if (Character.isISOControl(name.charAt(i))) {
                return new Refusal(
                        Refusal.Code.INVALID,
                        what + " contains the control character " + codeOf(name.charAt(i)) + " at position " + (i + 1)
                                + ": remove it");
            }
        }
        return null;
    }

    private static String codeOf(char c) {
        String digits = Integer.toHexString(c).toUpperCase(Locale.ROOT);
        return "U+" + "0".repeat(4 - digits.length()) + digits;
    }
}
