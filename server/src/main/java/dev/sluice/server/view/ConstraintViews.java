package dev.sluice.server.view;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.application.TopologySpread;
import dev.sluice.server.api.AffinityView;
import dev.sluice.server.api.HostPortView;
import dev.sluice.server.api.TaintDocument;
import dev.sluice.server.api.TolerationView;
import dev.sluice.server.api.TopologySpreadView;
import dev.sluice.server.route.ProblemException;
import dev.sluice.server.route.ProblemKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The views of constraints and taints. */
public final class ConstraintViews {

    private ConstraintViews() {}

    /** Returns the view of the affinities of these constraints, or null if there are none. */
    static @Nullable AffinityView affinity(Constraints constraints) {
        NodeAffinity nodes = constraints.nodeAffinity();
        TaskConstraints tasks = constraints.tasks();
        if (nodes.isEmpty()
                && tasks.affinity().isEmpty()
                && tasks.antiAffinity().isEmpty()) {
            return null;
        }
        return new AffinityView(
                nodes.isEmpty() ? null : nodeAffinity(nodes),
                taskAffinity(tasks.affinity()),
                taskAffinity(tasks.antiAffinity()));
    }

    private static AffinityView.NodeAffinityView nodeAffinity(NodeAffinity affinity) {
        return new AffinityView.NodeAffinityView(
                affinity.required().isEmpty()
                        ? null
                        : new AffinityView.NodeSelectorView(affinity.required().stream()
                                .map(ConstraintViews::term)
                                .toList()),
                orNull(affinity.preferred().stream()
                        .map(each -> new AffinityView.NodePreferenceView(each.weight(), term(each.preference())))
                        .toList()));
    }

    private static AffinityView.@Nullable PodAffinityView taskAffinity(TaskAffinity affinity) {
        return affinity.isEmpty()
                ? null
                : new AffinityView.PodAffinityView(
                        orNull(affinity.required().stream()
                                .map(ConstraintViews::term)
                                .toList()),
                        orNull(affinity.preferred().stream()
                                .map(each -> new AffinityView.WeightedTermView(each.weight(), term(each.term())))
                                .toList()));
    }

    private static AffinityView.PodAffinityTermView term(TaskTerm term) {
        return new AffinityView.PodAffinityTermView(selector(term.selector()), term.topologyKey());
    }

    private static AffinityView.LabelSelectorView selector(LabelSelector selector) {
        return new AffinityView.LabelSelectorView(requirements(selector.matchExpressions()));
    }

    /** Returns the views of spread constraints, or null if there are none. */
    static @Nullable List<TopologySpreadView> spread(List<TopologySpread> constraints) {
        return orNull(constraints.stream()
                .map(each -> new TopologySpreadView(
                        each.maxSkew(),
                        each.topologyKey(),
                        each.required() ? "DoNotSchedule" : "ScheduleAnyway",
                        selector(each.selector()),
                        each.minDomains() == 1 ? null : Integer.valueOf(each.minDomains()),
                        each.honorAffinity() ? "Honor" : "Ignore",
                        each.honorTaints() ? "Honor" : "Ignore"))
                .toList());
    }

    /** Returns the views of host ports, or null if there are none. */
    static @Nullable List<HostPortView> ports(List<HostPort> ports) {
        return orNull(ports.stream()
                .map(each -> new HostPortView(
                        each.port(), each.protocol().name(), each.ip().equals(HostPort.ANY_IP) ? null : each.ip()))
                .toList());
    }

    private static AffinityView.NodeSelectorTermView term(NodeSelectorTerm term) {
        return new AffinityView.NodeSelectorTermView(
                requirements(term.matchExpressions()), requirements(term.matchFields()));
    }

    private static @Nullable List<AffinityView.NodeSelectorRequirementView> requirements(
            List<NodeSelectorRequirement> requirements) {
        return orNull(requirements.stream()
                .map(each -> new AffinityView.NodeSelectorRequirementView(
                        each.key(), each.operator().wireName(), orNull(each.values())))
                .toList());
    }

    private static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    /** Returns the views of tolerations, or null if there are none. */
    static @Nullable List<TolerationView> tolerations(List<Toleration> tolerations) {
        return orNull(tolerations.stream().map(ConstraintViews::toleration).toList());
    }

    private static TolerationView toleration(Toleration toleration) {
        TaintEffect effect = toleration.effect();
        Duration limit = toleration.limit();
        return new TolerationView(
                toleration.key(),
                toleration.operator().wireName(),
                textOrNull(toleration.value()),
                effect == null ? null : effect.wireName(),
                limit == null ? null : Long.valueOf(limit.toSeconds()));
    }

    private static @Nullable String textOrNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Returns the views of taints. */
    public static List<TaintDocument> taints(List<Taint> taints) {
        return taints.stream()
                .map(taint -> new TaintDocument(
                        taint.key(),
                        textOrNull(taint.value()),
                        taint.effect().wireName(),
                        taint.timeAdded() == null ? null : taint.timeAdded().toString()))
                .toList();
    }

    /** Returns the taints of these documents; throws {@link ProblemException} for an invalid one. */
    public static List<Taint> taintsOf(List<TaintDocument> documents) {
        List<Taint> taints = new ArrayList<>();
        for (TaintDocument document : documents) {
            TaintEffect effect = Objects.requireNonNull(effectOf(document.effect()));
            if (document.key().isEmpty()) {
                throw ProblemException.of(ProblemKind.INVALID, "a taint needs a key");
            }
            taints.add(new Taint(document.key(), Objects.requireNonNullElse(document.value(), ""), effect));
        }
        return taints;
    }

    /** Returns the effect of this name, or null for null; throws {@link ProblemException} if there is none. */
    public static @Nullable TaintEffect effectOf(@Nullable String name) {
        return name == null
                ? null
                : Stream.of(TaintEffect.values())
                        .filter(each -> each.wireName().equals(name))
                        .findFirst()
                        .orElseThrow(() -> ProblemException.of(
                                ProblemKind.INVALID,
                                "unknown effect of a taint " + name
                                        + ": expected one of NoSchedule, PreferNoSchedule and NoExecute"));
    }
}
