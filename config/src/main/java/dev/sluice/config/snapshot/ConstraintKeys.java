package dev.sluice.config.snapshot;

import static dev.sluice.config.field.KeyType.INSTANT;
import static dev.sluice.config.field.KeyType.INT;
import static dev.sluice.config.field.KeyType.STRICT_TEXT;
import static dev.sluice.config.field.KeyType.list;
import static dev.sluice.config.field.KeyType.map;
import static dev.sluice.config.field.KeyType.section;
import static dev.sluice.config.field.KeyType.sections;
import static dev.sluice.config.field.KeyType.whole;
import static dev.sluice.config.field.KeyType.words;
import static dev.sluice.config.field.ReferencePage.JOB_FILE;

import dev.sluice.config.field.Key;
import dev.sluice.config.field.KeyType;
import dev.sluice.config.field.Keys;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.Toleration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The keys of taints and constraints, which are those of Kubernetes, with their documentation. */
final class ConstraintKeys {

    static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    static final Keys TAINT = Keys.of(
            "taint",
            JOB_FILE,
            Key.of("key", STRICT_TEXT, "What the taint is about.").isRequired().eg("gpu"),
            Key.of("value", STRICT_TEXT, "More about it.").or("none").eg("\"yes\""),
            Key.of(
                            "effect",
                            names(TaintEffect.values(), TaintEffect::wireName),
                            "What happens to tasks that do not tolerate it. `NoSchedule`: they do not start on the node;"
                                    + " `PreferNoSchedule`: only if no other node fits; `NoExecute`: they do not start there,"
                                    + " and those that run there are stopped and run elsewhere.")
                    .isRequired()
                    .eg("NoSchedule"),
            Key.of("timeAdded", INSTANT, "When the node got a taint `NoExecute`.")
                    .or("the instant of the file")
                    .eg("2026-01-01T11:30:00Z"));

    static final Keys REQUIREMENT = Keys.of(
            "node selector requirement",
            JOB_FILE,
            Key.of("key", STRICT_TEXT, "The key of the label; in `matchFields`, `metadata.name`.")
                    .isRequired()
                    .eg("zone"),
            Key.of(
                            "operator",
                            names(
                                    NodeSelectorRequirement.Operator.values(),
                                    NodeSelectorRequirement.Operator::wireName),
                            "How the label is compared: it has one of the values, or none of them or is missing; it is"
                                    + " there, or missing; it is an integer greater or less than the value.")
                    .isRequired()
                    .eg("In"),
            Key.of(
                            "values",
                            list(STRICT_TEXT),
                            "The values: at least one for `In` and `NotIn`, one integer in quotes for `Gt` and `Lt`, none for"
                                    + " the others.")
                    .eg("[eu-1, eu-2]"));

    static final Keys TERM = Keys.of(
            "node selector term",
            JOB_FILE,
            Key.of("matchExpressions", sections(REQUIREMENT), "Conditions on labels, all of which must be met.")
                    .eg("[{key: zone, operator: In, values: [eu-1]}]"),
            Key.of("matchFields", sections(REQUIREMENT), "Conditions on the name of the node, of one value each.")
                    .eg("[{key: metadata.name, operator: NotIn, values: [w-3]}]"));

    static final Keys REQUIRED_TERMS = Keys.of(
            "required node affinity",
            JOB_FILE,
            Key.of(
                            "nodeSelectorTerms",
                            sections(TERM),
                            "The terms, at least one. A node must match one of them; a term without conditions matches no"
                                    + " node.")
                    .isRequired()
                    .eg("[{matchExpressions: […]}]"));

    static final Keys PREFERENCE = Keys.of(
            "node preference",
            JOB_FILE,
            Key.of(
                            "weight",
                            whole(NodePreference.WEIGHT_MIN, NodePreference.WEIGHT_MAX),
                            "How much a node that matches is preferred. The weights of all preferences that it matches are"
                                    + " added up.")
                    .isRequired()
                    .eg("10"),
            Key.of("preference", section(TERM), "What a node must match.")
                    .isRequired()
                    .eg("{matchExpressions: […]}"));

    static final Keys NODE_AFFINITY = Keys.of(
            "node affinity",
            JOB_FILE,
            Key.of(REQUIRED, section(REQUIRED_TERMS), "What a node must match.").eg("{nodeSelectorTerms: […]}"),
            Key.of(PREFERRED, sections(PREFERENCE), "What nodes are preferred, before the node sort policy decides.")
                    .eg("[{weight: 10, preference: {matchExpressions: […]}}]"));

    private static final Map<String, String> SCOPE = Map.of(
            "namespaces", "tasks of all applications of the partition count; remove it",
            "namespaceSelector", "tasks of all applications of the partition count; remove it",
            "matchLabelKeys", "add the label and its value to labelSelector",
            "mismatchLabelKeys", "add a condition NotIn to labelSelector");

    static final Keys LABEL_REQUIREMENT = REQUIREMENT.variant(
            "label selector requirement",
            Key.of("key", STRICT_TEXT, "The key of the label.").isRequired().eg("app"),
            Key.of(
                            "operator",
                            names(
                                    List.of(
                                                    NodeSelectorRequirement.Operator.IN,
                                                    NodeSelectorRequirement.Operator.NOT_IN,
                                                    NodeSelectorRequirement.Operator.EXISTS,
                                                    NodeSelectorRequirement.Operator.DOES_NOT_EXIST)
                                            .toArray(NodeSelectorRequirement.Operator[]::new),
                                    NodeSelectorRequirement.Operator::wireName),
                            "How the label is compared: it has one of the values, or none of them or is missing; it is"
                                    + " there, or missing.")
                    .isRequired()
                    .eg("In"),
            Key.of("values", list(STRICT_TEXT), "The values: at least one for `In` and `NotIn`, none for the others.")
                    .eg("[web, cache]"));

    static final Keys LABEL_SELECTOR = Keys.of(
            "label selector",
            JOB_FILE,
            Key.of("matchLabels", map("labels", STRICT_TEXT), "Labels that a task must have with these values.")
                    .eg("{app: web}"),
            Key.of(
                            "matchExpressions",
                            sections(LABEL_REQUIREMENT),
                            "Conditions on labels, all of which must be met, too.")
                    .eg("[{key: app, operator: Exists}]"));

    private static Key selector() {
        return Key.of(
                        "labelSelector",
                        section(LABEL_SELECTOR),
                        "Which tasks, by their `labels`; of all applications of the partition. `{}` selects all tasks.")
                .isRequired()
                .eg("{matchLabels: {app: web}}");
    }

    private static Key topologyKey() {
        return Key.of(
                        "topologyKey",
                        STRICT_TEXT,
                        "The key of a label of nodes: nodes with the same value are one domain."
                                + " `kubernetes.io/hostname` is the node itself, also without that label.")
                .isRequired()
                .eg("zone");
    }

    static final Keys TASK_TERM =
            Keys.of("pod affinity term", JOB_FILE, selector(), topologyKey()).refusing(SCOPE);

    static final Keys TASK_PREFERENCE = Keys.of(
            "pod preference",
            JOB_FILE,
            Key.of(
                            "weight",
                            whole(NodePreference.WEIGHT_MIN, NodePreference.WEIGHT_MAX),
                            "How much it counts. The weights of all terms that match are added up, with those of node"
                                    + " affinity; those of anti-affinity are subtracted.")
                    .isRequired()
                    .eg("10"),
            Key.of("podAffinityTerm", section(TASK_TERM), "Which tasks, in which domain.")
                    .isRequired()
                    .eg("{labelSelector: {…}, topologyKey: zone}"));

    static final Keys POD_AFFINITY = Keys.of(
            "pod affinity",
            JOB_FILE,
            Key.of(
                            REQUIRED,
                            sections(TASK_TERM),
                            "Terms that must all hold: a task that is selected is allocated in the domain of the node.")
                    .eg("[{labelSelector: {…}, topologyKey: zone}]"),
            Key.of(PREFERRED, sections(TASK_PREFERENCE), "What is preferred, before the node sort policy decides.")
                    .eg("[{weight: 10, podAffinityTerm: {…}}]"));

    static final Keys POD_ANTI_AFFINITY = POD_AFFINITY.variant(
            "pod anti affinity",
            Key.of(
                            REQUIRED,
                            sections(TASK_TERM),
                            "Terms none of which must hold. Tasks that are selected do not start beside the task, either.")
                    .eg("[{labelSelector: {…}, topologyKey: zone}]"),
            Key.of(PREFERRED, sections(TASK_PREFERENCE), "What is avoided, before the node sort policy decides.")
                    .eg("[{weight: 10, podAffinityTerm: {…}}]"));

    static final Keys AFFINITY = Keys.of(
            "affinity",
            JOB_FILE,
            Key.of("nodeAffinity", section(NODE_AFFINITY), "Which nodes the task requires and prefers.")
                    .eg("{" + REQUIRED + ": {…}}"),
            Key.of("podAffinity", section(POD_AFFINITY), "Which tasks the task must or should be beside.")
                    .eg("{" + REQUIRED + ": […]}"),
            Key.of("podAntiAffinity", section(POD_ANTI_AFFINITY), "Which tasks the task must or should be apart from.")
                    .eg("{" + REQUIRED + ": […]}"));

    static final String DO_NOT_SCHEDULE = "DoNotSchedule";
    static final String SCHEDULE_ANYWAY = "ScheduleAnyway";
    static final String HONOR = "Honor";
    static final String IGNORE = "Ignore";

    static final Keys SPREAD = Keys.of(
                    "topology spread constraint",
                    JOB_FILE,
                    Key.of(
                                    "maxSkew",
                                    whole(1, Integer.MAX_VALUE),
                                    "By how many selected tasks a domain may exceed the one with the fewest.")
                            .isRequired()
                            .eg("1"),
                    topologyKey(),
                    Key.of(
                                    "whenUnsatisfiable",
                                    words(List.of(DO_NOT_SCHEDULE, SCHEDULE_ANYWAY)),
                                    "`DoNotSchedule`: the task waits rather than exceed it; `ScheduleAnyway`: nodes that"
                                            + " exceed it least are preferred.")
                            .isRequired()
                            .eg(DO_NOT_SCHEDULE),
                    selector(),
                    Key.of(
                                    "minDomains",
                                    whole(1, Integer.MAX_VALUE),
                                    "As long as there are fewer domains, the fewest tasks count as 0.")
                            .or("1")
                            .eg("3"),
                    Key.of(
                                    "nodeAffinityPolicy",
                                    words(List.of(HONOR, IGNORE)),
                                    "Whether only nodes that match `nodeSelector` and `nodeAffinity` of the task count.")
                            .or(HONOR)
                            .eg(IGNORE),
                    Key.of(
                                    "nodeTaintsPolicy",
                                    words(List.of(HONOR, IGNORE)),
                                    "Whether nodes with taints that exclude the task do not count.")
                            .or(IGNORE)
                            .eg(HONOR))
            .refusing(SCOPE);

    static final Keys PORT = Keys.of(
            "host port",
            JOB_FILE,
            Key.of("hostPort", whole(1, HostPort.PORT_MAX), "The port of the node.")
                    .isRequired()
                    .eg("8080"),
            Key.of("protocol", names(HostPort.Protocol.values(), HostPort.Protocol::name), "The protocol.")
                    .or("TCP")
                    .eg("UDP"),
            Key.of("hostIP", STRICT_TEXT, "The address of the node.").or("all").eg("127.0.0.1"));

    static final Keys TOLERATION = Keys.of(
            "toleration",
            JOB_FILE,
            Key.of("key", STRICT_TEXT, "The key of the taints. Without it, `operator` must be `Exists`.")
                    .or("any")
                    .eg("gpu"),
            Key.of(
                            "operator",
                            names(Toleration.Operator.values(), Toleration.Operator::wireName),
                            "`Equal`: the taints have this value; `Exists`: they have any value.")
                    .or("Equal")
                    .eg("Exists"),
            Key.of("value", STRICT_TEXT, "The value of the taints, for `Equal`.")
                    .or("none")
                    .eg("\"yes\""),
            Key.of("effect", names(TaintEffect.values(), TaintEffect::wireName), "The effect of the taints.")
                    .or("any")
                    .eg("NoExecute"),
            Key.of(
                            "tolerationSeconds",
                            INT,
                            "How long a running task stays on a node that gets a taint `NoExecute`; 0 or less: not at all."
                                    + " Such a toleration lets no task start there.")
                    .or("for ever")
                    .eg("300"));

    private ConstraintKeys() {}

    private static <E> KeyType names(E[] values, Function<E, String> wireName) {
        return words(Arrays.stream(values).map(wireName).toList());
    }
}
