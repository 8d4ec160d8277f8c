package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.Section;
import dev.sluice.config.yaml.YamlValue;
import dev.sluice.core.application.HostPort;
import dev.sluice.core.application.LabelSelector;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.TaskAffinity;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TaskPreference;
import dev.sluice.core.application.TaskTerm;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.application.TopologySpread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the labels of tasks and their constraints with regard to others. Tasks share what is read from one value. */
final class TaskConstraintsReader {

    private static final Map<String, Boolean> UNSATISFIABLE =
            eitherOf(ConstraintKeys.DO_NOT_SCHEDULE, ConstraintKeys.SCHEDULE_ANYWAY);
    private static final Map<String, Boolean> POLICIES = eitherOf(ConstraintKeys.HONOR, ConstraintKeys.IGNORE);
    private static final Map<String, HostPort.Protocol> PROTOCOLS =
            ConstraintsReader.words(HostPort.Protocol.values(), HostPort.Protocol::name);

    private final ReadContext context;
    private final String partition;
    private final LatestValue<TextMap> labels = new LatestValue<>(TaskConstraintsReader::texts);
    private final LatestValue<TaskAffinity> affinity =
            new LatestValue<>(field -> affinity(field, ConstraintKeys.POD_AFFINITY));
    private final LatestValue<TaskAffinity> antiAffinity =
            new LatestValue<>(field -> affinity(field, ConstraintKeys.POD_ANTI_AFFINITY));
    private final LatestValue<List<TopologySpread>> spread = new LatestValue<>(field -> items(
            field,
            "topologySpreadConstraints",
            "a topology spread constraint",
            ConstraintKeys.SPREAD,
            TaskConstraintsReader::spread));
    private final LatestValue<List<HostPort>> ports = new LatestValue<>(
            field -> items(field, "ports", "a host port", ConstraintKeys.PORT, TaskConstraintsReader::port));
    private @Nullable YamlValue warned;

    TaskConstraintsReader(ReadContext context, String partition) {
        this.context = context;
        this.partition = partition;
    }

    private static Map<String, Boolean> eitherOf(String yes, String no) {
        Map<String, Boolean> words = new LinkedHashMap<>();
        words.put(yes, true);
        words.put(no, false);
        return words;
    }

    /** Reads the constraints of a task whose key {@code affinity} was read, too; null if it has none. */
    TaskConstraints read(Section task, @Nullable Section affinities) {
        TextMap own = task.read("labels", TextMap.EMPTY, labels::read);
        warnIfMeantForNodes(task, own);
        TaskConstraints read = new TaskConstraints(
                own,
                affinities == null
                        ? TaskAffinity.NONE
                        : affinities.read("podAffinity", TaskAffinity.NONE, affinity::read),
                affinities == null
                        ? TaskAffinity.NONE
                        : affinities.read("podAntiAffinity", TaskAffinity.NONE, antiAffinity::read),
                task.read("topologySpreadConstraints", List.of(), spread::read),
                task.read("ports", List.of(), ports::read),
                task.read("pernode", 0L, field -> field.asLong(1, Integer.MAX_VALUE))
                        .intValue());
        return read.isEmpty() ? TaskConstraints.NONE : read;
    }

    /** Warns about labels that nodes of the file have, too: they selected nodes in earlier releases. */
    private void warnIfMeantForNodes(Section task, TextMap own) {
        Field given = task.get("labels");
        if (given != null
                && given.value() != warned
                && !own.isEmpty()
                && !task.has("nodeSelector")
                && context.nodeLabels(partition).containsAll(own.entrySet())) {
            warned = given.value();
            given.keyWarning(
                    "labels are those of the task itself and select no nodes: to require nodes with these labels,"
                            + " write nodeSelector");
        }
    }

    private static TextMap texts(Field field) {
        return TextMap.copyOf(field.asTextMap("labels", Field::asStrictText));
    }

    private static <T> List<T> items(
            Field field, String what, String each, Keys keys, Function<Section, @Nullable T> reader) {
        List<T> items = ConstraintsReader.items(field, what, each, keys, reader);
        if (items.size() > TaskConstraints.SIZE_MAX) {
            field.problem("at most " + TaskConstraints.SIZE_MAX + " " + what + " are allowed");
            return List.of();
        }
        return items;
    }

    private static @Nullable TaskAffinity affinity(Field field, Keys keys) {
        Section section = field.asSection(keys.section(), keys);
        if (section == null) {
            return null;
        }
        TaskAffinity read = new TaskAffinity(
                section.read(
                        ConstraintKeys.REQUIRED,
                        List.of(),
                        each -> items(
                                each,
                                "terms",
                                "a pod affinity term",
                                ConstraintKeys.TASK_TERM,
                                TaskConstraintsReader::term)),
                section.read(
                        ConstraintKeys.PREFERRED,
                        List.of(),
                        each -> items(
                                each,
                                "preferences",
                                "a pod preference",
                                ConstraintKeys.TASK_PREFERENCE,
                                TaskConstraintsReader::preference)));
        return read.isEmpty() ? null : read;
    }

    private static @Nullable TaskPreference preference(Section section) {
        Field weight = section.require("weight", "a preference needs a weight, such as weight: 10");
        Field given =
                section.require("podAffinityTerm", "a preference needs a podAffinityTerm: which tasks, and where");
        Long number = weight == null ? null : weight.asLong(NodePreference.WEIGHT_MIN, NodePreference.WEIGHT_MAX);
        Section terms = given == null ? null : given.asSection("a pod affinity term", ConstraintKeys.TASK_TERM);
        TaskTerm term = terms == null ? null : term(terms);
        return number == null || term == null ? null : new TaskPreference(number.intValue(), term);
    }

    private static @Nullable TaskTerm term(Section section) {
        LabelSelector selector = selector(section);
        String key = topologyKey(section);
        return selector == null || key == null ? null : new TaskTerm(selector, key);
    }

    private static @Nullable String topologyKey(Section section) {
        Field field = section.require("topologyKey", "a topologyKey is missing, such as topologyKey: zone");
        String key = field == null ? null : field.asStrictText();
        if (field != null && key != null && key.isEmpty()) {
            field.problem("a topologyKey must not be empty");
            return null;
        }
        return key;
    }

    private static @Nullable LabelSelector selector(Section section) {
        Field field = section.require(
                "labelSelector",
                "a labelSelector is missing, such as labelSelector: {matchLabels: {app: web}};"
                        + " write labelSelector: {} for all tasks");
        Section given = field == null ? null : field.asSection("a labelSelector", ConstraintKeys.LABEL_SELECTOR);
        if (given == null) {
            return null;
        }
        int before = given.self().problemCount();
        TextMap matchLabels = given.read("matchLabels", TextMap.EMPTY, TaskConstraintsReader::texts);
        List<NodeSelectorRequirement> expressions = given.read(
                "matchExpressions",
                List.of(),
                each -> items(
                        each,
                        "conditions",
                        "a condition",
                        ConstraintKeys.LABEL_REQUIREMENT,
                        TaskConstraintsReader::requirement));
        return given.self().problemCount() > before ? null : LabelSelector.of(matchLabels, expressions);
    }

    private static @Nullable NodeSelectorRequirement requirement(Section section) {
        NodeSelectorRequirement read = ConstraintsReader.requirement(section);
        String problem = read == null ? null : LabelSelector.problem(read.operator());
        if (problem != null) {
            section.self().problem(problem);
            return null;
        }
        return read;
    }

    private static @Nullable TopologySpread spread(Section section) {
        int before = section.self().problemCount();
        Field skewField = section.require("maxSkew", "a maxSkew is missing, such as maxSkew: 1");
        Long maxSkew = skewField == null ? null : skewField.asLong(1, Integer.MAX_VALUE);
        Field unsatisfiable = section.require(
                "whenUnsatisfiable", "whenUnsatisfiable is missing: write DoNotSchedule or ScheduleAnyway");
        Boolean required = unsatisfiable == null ? null : unsatisfiable.asEnum("whenUnsatisfiable", UNSATISFIABLE);
        TaskTerm term = term(section);
        Long minDomains = section.read("minDomains", 1L, field -> field.asLong(1, Integer.MAX_VALUE));
        boolean affinity = section.read("nodeAffinityPolicy", true, field -> field.asEnum("policy", POLICIES));
        boolean taints = section.read("nodeTaintsPolicy", false, field -> field.asEnum("policy", POLICIES));
        if (maxSkew == null
                || required == null
                || term == null
                || section.self().problemCount() > before) {
            return null;
        }
        String problem = TopologySpread.problem(maxSkew.intValue(), required, minDomains.intValue());
        if (problem != null) {
            section.self().problem(problem);
            return null;
        }
        return new TopologySpread(
                maxSkew.intValue(),
                term.topologyKey(),
                required,
                term.selector(),
                minDomains.intValue(),
                affinity,
                taints);
    }

    private static @Nullable HostPort port(Section section) {
        Field field = section.require("hostPort", "a hostPort is missing, such as hostPort: 8080");
        Long port = field == null ? null : field.asLong(1, HostPort.PORT_MAX);
        HostPort.Protocol protocol =
                section.read("protocol", HostPort.Protocol.TCP, each -> each.asEnum("protocol", PROTOCOLS));
        String ip = section.read("hostIP", HostPort.ANY_IP, Field::asStrictText);
        return port == null ? null : new HostPort(port.intValue(), protocol, ip.isEmpty() ? HostPort.ANY_IP : ip);
    }
}
