package dev.sluice.config.snapshot;

import dev.sluice.config.field.Field;
import dev.sluice.config.field.Keys;
import dev.sluice.config.field.Section;
import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.application.Toleration;
import dev.sluice.core.command.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the constraints of tasks, and the taints of nodes. Tasks with the same values share what is read. */
final class ConstraintsReader {

    private static final Map<String, NodeSelectorRequirement.Operator> OPERATORS =
            words(NodeSelectorRequirement.Operator.values(), NodeSelectorRequirement.Operator::wireName);
    private static final Map<String, Toleration.Operator> TOLERATION_OPERATORS =
            words(Toleration.Operator.values(), Toleration.Operator::wireName);
    private static final Map<String, TaintEffect> EFFECTS = words(TaintEffect.values(), TaintEffect::wireName);

    private final LatestValue<TextMap> selector =
            new LatestValue<>(field -> TextMap.copyOf(field.asTextMap("labels", Field::asStrictText)));
    private final LatestValue<Section> affinities =
            new LatestValue<>(field -> field.asSection("affinity", ConstraintKeys.AFFINITY));
    private final LatestValue<NodeAffinity> affinity = new LatestValue<>(ConstraintsReader::affinity);
    private final LatestValue<List<Toleration>> tolerations = new LatestValue<>(field ->
            items(field, "tolerations", "a toleration", ConstraintKeys.TOLERATION, ConstraintsReader::toleration));
    private final TaskConstraintsReader tasks;
    private Constraints latest = Constraints.NONE;

    /** Creates a reader for the tasks of a partition. */
    ConstraintsReader(ReadContext context, String partition) {
        this.tasks = new TaskConstraintsReader(context, partition);
    }

    static <E> Map<String, E> words(E[] values, Function<E, String> wireName) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E value : values) {
            words.put(wireName.apply(value), value);
        }
        return words;
    }

    /** Reads the constraints of a task. */
    Constraints read(Section task) {
        Section affinities = task.readOrNull("affinity", this.affinities::read);
        Constraints read = new Constraints(
                task.read("nodeSelector", TextMap.EMPTY, selector::read),
                affinities == null
                        ? NodeAffinity.NONE
                        : affinities.read("nodeAffinity", NodeAffinity.NONE, affinity::read),
                task.read("tolerations", List.of(), tolerations::read),
                tasks.read(task, affinities));
        if (!read.equals(latest)) {
            latest = read.isEmpty() ? Constraints.NONE : read;
        }
        return latest;
    }

    private static @Nullable NodeAffinity affinity(Field field) {
        Section nodes = field.asSection("node affinity", ConstraintKeys.NODE_AFFINITY);
        if (nodes == null) {
            return null;
        }
        NodeAffinity read = new NodeAffinity(
                nodes.read(ConstraintKeys.REQUIRED, List.of(), ConstraintsReader::required),
                nodes.read(ConstraintKeys.PREFERRED, List.of(), ConstraintsReader::preferences));
        return read.isEmpty() ? null : read;
    }

    private static List<NodePreference> preferences(Field field) {
        return items(
                field,
                "preferences",
                NodeAffinity.PREFERENCES_MAX,
                "a preference",
                ConstraintKeys.PREFERENCE,
                ConstraintsReader::preference);
    }

    private static @Nullable List<NodeSelectorTerm> required(Field field) {
        Section section = field.asSection("required node affinity", ConstraintKeys.REQUIRED_TERMS);
        Field terms = section == null
                ? null
                : section.require("nodeSelectorTerms", "a required node affinity needs nodeSelectorTerms");
        if (terms == null) {
            return null;
        }
        int before = field.problemCount();
        List<NodeSelectorTerm> read =
                items(terms, "terms", "a node selector term", ConstraintKeys.TERM, ConstraintsReader::term);
        if (read.isEmpty() && field.problemCount() == before) {
            terms.problem("no term is listed: add one, or remove " + ConstraintKeys.REQUIRED);
        }
        return read;
    }

    private static @Nullable NodePreference preference(Section section) {
        Field weight = section.require("weight", "a preference needs a weight, such as weight: 10");
        Field preference = section.require("preference", "a preference needs a preference: what a node must match");
        Long number = weight == null ? null : weight.asLong(NodePreference.WEIGHT_MIN, NodePreference.WEIGHT_MAX);
        Section terms = preference == null ? null : preference.asSection("a preference", ConstraintKeys.TERM);
        NodeSelectorTerm term = terms == null ? null : term(terms);
        return number == null || term == null ? null : new NodePreference(number.intValue(), term);
    }

    private static @Nullable NodeSelectorTerm term(Section section) {
        List<NodeSelectorRequirement> expressions = section.read(
                "matchExpressions", List.of(), field -> requirements(field, ConstraintsReader::requirement));
        List<NodeSelectorRequirement> fields =
                section.read("matchFields", List.of(), field -> requirements(field, ConstraintsReader::field));
        return new NodeSelectorTerm(expressions, fields);
    }

    private static List<NodeSelectorRequirement> requirements(
            Field field, Function<Section, @Nullable NodeSelectorRequirement> reader) {
        return items(field, "conditions", "a condition", ConstraintKeys.REQUIREMENT, reader);
    }

    private static @Nullable NodeSelectorRequirement field(Section section) {
        NodeSelectorRequirement read = requirement(section);
        if (read == null) {
            return null;
        }
        try {
            new NodeSelectorTerm(List.of(), List.of(read));
            return read;
        } catch (IllegalArgumentException e) {
            section.self().problem(String.valueOf(e.getMessage()));
            return null;
        }
    }

    static @Nullable NodeSelectorRequirement requirement(Section section) {
        Field key = section.require("key", "a condition needs the key of a label");
        Field given = section.require("operator", "a condition needs an operator, such as In");
        String label = key == null ? null : key.asStrictText();
        NodeSelectorRequirement.Operator operator = given == null ? null : given.asEnum("operator", OPERATORS);
        int before = section.self().problemCount();
        List<String> values = section.read("values", List.of(), field -> field.asTexts("values", Field::asStrictText));
        if (label == null || operator == null || section.self().problemCount() > before) {
            return null;
        }
        if (values.size() > NodeAffinity.SIZE_MAX) {
            section.self().problem("a condition has at most " + NodeAffinity.SIZE_MAX + " values");
            return null;
        }
        String problem = NodeSelectorRequirement.problem(operator, values);
        if (problem != null) {
            Field place = section.get("values");
            (place == null ? section.self() : place).problem(problem);
            return null;
        }
        return new NodeSelectorRequirement(label, operator, values);
    }

    private static @Nullable Toleration toleration(Section section) {
        int before = section.self().problemCount();
        String key = section.readOrNull("key", Field::asStrictText);
        Toleration.Operator operator = section.read(
                "operator", Toleration.Operator.EQUAL, field -> field.asEnum("operator", TOLERATION_OPERATORS));
        String value = section.read("value", "", Field::asStrictText);
        TaintEffect effect = section.readOrNull("effect", ConstraintsReader::effect);
        Long seconds =
                section.readOrNull("tolerationSeconds", field -> field.asLong(Integer.MIN_VALUE, Integer.MAX_VALUE));
        Duration limit = seconds == null ? null : Duration.ofSeconds(seconds);
        if (section.self().problemCount() > before) {
            return null;
        }
        String named = key == null || key.isEmpty() ? null : key;
        String problem = Toleration.problem(named, operator, value, effect, limit);
        if (problem != null) {
            section.self().problem(problem);
            return null;
        }
        return new Toleration(named, operator, value, effect, limit);
    }

    private static @Nullable TaintEffect effect(Field field) {
        return field.asEnum("effect of a taint", EFFECTS);
    }

    /** Reads the taints of a node. */
    static List<Taint> taints(Field field, ReadContext context) {
        List<Taint> taints = new ArrayList<>();
        for (Taint taint :
                items(field, "taints", "a taint", ConstraintKeys.TAINT, section -> taint(section, context))) {
            if (taints.stream().anyMatch(taint::isAbout)) {
                field.problem("duplicate taint " + taint.key() + ":"
                        + taint.effect().wireName() + ": a node has at most one with this key and effect");
                continue;
            }
            taints.add(taint);
        }
        if (taints.size() > Command.TaintNode.TAINTS_MAX) {
            field.problem("a node has at most " + Command.TaintNode.TAINTS_MAX + " taints");
            return List.of();
        }
        return taints;
    }

    private static @Nullable Taint taint(Section section, ReadContext context) {
        Field keyField = section.require("key", "a taint needs a key");
        Field effectField = section.require("effect", "a taint needs an effect, such as NoSchedule");
        String key = keyField == null ? null : keyField.asStrictText();
        TaintEffect effect = effectField == null ? null : effect(effectField);
        String value = section.read("value", "", Field::asStrictText);
        Instant added = section.readOrNull("timeAdded", context::pastInstant);
        if (key == null || effect == null) {
            return null;
        }
        if (key.isEmpty()) {
            section.self().problem("a taint needs a key");
            return null;
        }
        Field time = section.get("timeAdded");
        if (time != null && effect != TaintEffect.NO_EXECUTE) {
            time.warning("timeAdded has no effect here: it is for taints NoExecute");
            return new Taint(key, value, effect);
        }
        return new Taint(key, value, effect, added);
    }

    static <T> List<T> items(Field field, String what, String each, Keys keys, Function<Section, @Nullable T> reader) {
        return items(field, what, NodeAffinity.SIZE_MAX, each, keys, reader);
    }

    static <T> List<T> items(
            Field field, String what, int max, String each, Keys keys, Function<Section, @Nullable T> reader) {
        List<T> items = new ArrayList<>();
        List<Field> fields = field.asList(what);
        if (fields.size() > max) {
            field.problem("at most " + max + " " + what + " are allowed, not " + fields.size());
            return items;
        }
        for (Field item : fields) {
            Section section = item.asSection(each, keys);
            T read = section == null ? null : reader.apply(section);
            if (read != null) {
                items.add(read);
            }
        }
        return items;
    }
}
