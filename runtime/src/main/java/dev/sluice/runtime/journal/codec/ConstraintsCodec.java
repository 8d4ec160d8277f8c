package dev.sluice.runtime.journal.codec;

import static dev.sluice.runtime.journal.codec.PresenceBits.bit;
import static dev.sluice.runtime.journal.codec.PresenceBits.has;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.application.NodeAffinity;
import dev.sluice.core.application.NodePreference;
import dev.sluice.core.application.NodeSelectorRequirement;
import dev.sluice.core.application.NodeSelectorTerm;
import dev.sluice.core.application.Taint;
import dev.sluice.core.application.TaintEffect;
import dev.sluice.core.application.TaskConstraints;
import dev.sluice.core.application.TextMap;
import dev.sluice.core.application.Toleration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Encodes and decodes the constraints of tasks, except their node selectors, and the taints of nodes. The bits never
 * change their meaning.
 */
final class ConstraintsCodec {

    private static final int REQUIRED = 1;
    private static final int PREFERRED = 1 << 1;
    private static final int TOLERATIONS = 1 << 2;
    private static final int TASKS = 1 << 3;
    private static final int ALL = (1 << 4) - 1;

    private static final int TERM_EXPRESSIONS = 1;
    private static final int TERM_FIELDS = 1 << 1;
    private static final int TERM_ALL = (1 << 2) - 1;

    private static final int TOLERATION_KEY = 1;
    private static final int TOLERATION_VALUE = 1 << 1;
    private static final int TOLERATION_EFFECT = 1 << 2;
    private static final int TOLERATION_LIMIT = 1 << 3;
    private static final int TOLERATION_ALL = (1 << 4) - 1;

    private static final int TAINT_VALUE = 1;
    private static final int TAINT_TIME = 1 << 1;
    private static final int TAINT_ALL = (1 << 2) - 1;

    private ConstraintsCodec() {}

    /** Returns whether there is anything to write. */
    static boolean isWritten(Constraints constraints) {
        return !constraints.nodeAffinity().isEmpty()
                || !constraints.tolerations().isEmpty()
                || !constraints.tasks().isEmpty();
    }

    static void write(ValueWriter to, Constraints constraints) {
        NodeAffinity affinity = constraints.nodeAffinity();
        to.out.number(bit(REQUIRED, !affinity.required().isEmpty())
                | bit(PREFERRED, !affinity.preferred().isEmpty())
                | bit(TOLERATIONS, !constraints.tolerations().isEmpty())
                | bit(TASKS, !constraints.tasks().isEmpty()));
        writeUnlessEmpty(to, affinity.required(), ConstraintsCodec::writeTerm);
        writeUnlessEmpty(to, affinity.preferred(), (out, each) -> {
            out.out.number(each.weight());
            writeTerm(out, each.preference());
        });
        writeUnlessEmpty(to, constraints.tolerations(), ConstraintsCodec::writeToleration);
        if (!constraints.tasks().isEmpty()) {
            TaskConstraintsCodec.write(to, constraints.tasks());
        }
    }

    static Constraints read(ValueReader from, SortedMap<String, String> nodeSelector) {
        int fields = PresenceBits.read(from.in, ALL, "constraints");
        List<NodeSelectorTerm> required = has(fields, REQUIRED) ? list(from, ConstraintsCodec::readTerm) : List.of();
        List<NodePreference> preferred = has(fields, PREFERRED)
                ? list(from, in -> new NodePreference(in.in.integer(), readTerm(in)))
                : List.of();
        List<Toleration> tolerations =
                has(fields, TOLERATIONS) ? list(from, ConstraintsCodec::readToleration) : List.of();
        return new Constraints(
                TextMap.copyOf(nodeSelector),
                new NodeAffinity(required, preferred),
                tolerations,
                has(fields, TASKS) ? TaskConstraintsCodec.read(from) : TaskConstraints.NONE);
    }

    static <T> void writeUnlessEmpty(ValueWriter to, List<T> values, BiConsumer<ValueWriter, T> each) {
        if (!values.isEmpty()) {
            writeList(to, values, each);
        }
    }

    static <T> void writeList(ValueWriter to, List<T> values, BiConsumer<ValueWriter, T> each) {
        to.out.number(values.size());
        values.forEach(value -> each.accept(to, value));
    }

    static <T> List<T> list(ValueReader from, Function<ValueReader, T> each) {
        int count = from.in.count();
        List<T> values = new ArrayList<>(BinaryReader.initialCapacity(count));
        for (int i = 0; i < count; i++) {
            values.add(each.apply(from));
        }
        return values;
    }

    private static void writeTerm(ValueWriter to, NodeSelectorTerm term) {
        to.out.number(bit(TERM_EXPRESSIONS, !term.matchExpressions().isEmpty())
                | bit(TERM_FIELDS, !term.matchFields().isEmpty()));
        writeUnlessEmpty(to, term.matchExpressions(), ConstraintsCodec::writeRequirement);
        writeUnlessEmpty(to, term.matchFields(), ConstraintsCodec::writeRequirement);
    }

    private static NodeSelectorTerm readTerm(ValueReader from) {
        int fields = PresenceBits.read(from.in, TERM_ALL, "node selector term");
        List<NodeSelectorRequirement> expressions =
                has(fields, TERM_EXPRESSIONS) ? list(from, ConstraintsCodec::readRequirement) : List.of();
        return new NodeSelectorTerm(
                expressions, has(fields, TERM_FIELDS) ? list(from, ConstraintsCodec::readRequirement) : List.of());
    }

    static void writeRequirement(ValueWriter to, NodeSelectorRequirement requirement) {
        to.out.text(requirement.key());
        EnumCodec.REQUIREMENT_OPERATOR.write(to.out, requirement.operator());
        to.texts(requirement.values());
    }

    static NodeSelectorRequirement readRequirement(ValueReader from) {
        String key = from.in.text();
        return new NodeSelectorRequirement(key, EnumCodec.REQUIREMENT_OPERATOR.read(from.in), from.texts());
    }

    private static void writeToleration(ValueWriter to, Toleration toleration) {
        to.out.number(bit(TOLERATION_KEY, toleration.key())
                | bit(TOLERATION_VALUE, !toleration.value().isEmpty())
                | bit(TOLERATION_EFFECT, toleration.effect())
                | bit(TOLERATION_LIMIT, toleration.limit()));
        EnumCodec.TOLERATION_OPERATOR.write(to.out, toleration.operator());
        if (toleration.key() != null) {
            to.out.text(toleration.key());
        }
        if (!toleration.value().isEmpty()) {
            to.out.text(toleration.value());
        }
        if (toleration.effect() != null) {
            EnumCodec.TAINT_EFFECT.write(to.out, toleration.effect());
        }
        if (toleration.limit() != null) {
            to.out.duration(toleration.limit());
        }
    }

    private static Toleration readToleration(ValueReader from) {
        int fields = PresenceBits.read(from.in, TOLERATION_ALL, "toleration");
        Toleration.Operator operator = EnumCodec.TOLERATION_OPERATOR.read(from.in);
        String key = has(fields, TOLERATION_KEY) ? from.in.text() : null;
        String value = has(fields, TOLERATION_VALUE) ? from.in.text() : "";
        TaintEffect effect = has(fields, TOLERATION_EFFECT) ? EnumCodec.TAINT_EFFECT.read(from.in) : null;
        Duration limit = has(fields, TOLERATION_LIMIT) ? from.in.duration() : null;
        return new Toleration(key, operator, value, effect, limit);
    }

    static void writeTaints(ValueWriter to, List<Taint> taints) {
        writeList(to, taints, (out, taint) -> {
            out.out.number(bit(TAINT_VALUE, !taint.value().isEmpty()) | bit(TAINT_TIME, taint.timeAdded()));
            out.out.text(taint.key());
            EnumCodec.TAINT_EFFECT.write(out.out, taint.effect());
            if (!taint.value().isEmpty()) {
                out.out.text(taint.value());
            }
            if (taint.timeAdded() != null) {
                out.out.instant(taint.timeAdded());
            }
        });
    }

    static List<Taint> readTaints(ValueReader from) {
        return list(from, in -> {
            int fields = PresenceBits.read(in.in, TAINT_ALL, "taint");
            String key = in.in.text();
            TaintEffect effect = EnumCodec.TAINT_EFFECT.read(in.in);
            String value = has(fields, TAINT_VALUE) ? in.in.text() : "";
            Instant added = has(fields, TAINT_TIME) ? in.in.instant() : null;
            return new Taint(key, value, effect, added);
        });
    }
}
