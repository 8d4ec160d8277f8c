package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Writes the values that others are made of, and refers to amounts and kinds of tasks that it has written before. */
final class ValueWriter {

    /** The most amounts that are known at a time; when they are so many they are forgotten. */
    static final int RESOURCES_MAX = 1 << 16;

    private static final int EQUAL_KINDS_MAX = 1 << 16;

    final BinaryWriter out;

    private Map<Resources, Integer> resources = new HashMap<>();
    private @Nullable Resources latestResources;
    private int latestNumber;
    private IdentityHashMap<TaskKind, Integer> sameKinds = new IdentityHashMap<>();
    private Map<TaskKind, Integer> equalKinds = new HashMap<>();
    private int kinds;

    ValueWriter(BinaryWriter out) {
        this.out = out;
    }

    /** Begins anew: nothing is written yet. Only in memory. */
    void clear() {
        out.clear();
        forgetResources();
        if (kinds > 0) {
            sameKinds = new IdentityHashMap<>();
            equalKinds = new HashMap<>();
            kinds = 0;
        }
    }

    private void forgetResources() {
        if (!resources.isEmpty()) {
            resources = new HashMap<>();
        }
        latestResources = null;
    }

    /** Texts, in their order. */
    void texts(List<String> texts) {
        out.number(texts.size());
        texts.forEach(out::text);
    }

    /** Texts by their names. */
    void texts(SortedMap<String, String> texts) {
        out.number(texts.size());
        texts.forEach((name, text) -> {
            out.text(name);
            out.text(text);
        });
    }

    /** Amounts. */
    @SuppressWarnings("ReferenceEquality") // the same object again saves looking it up; an equal one is looked up
    void resources(Resources value) {
        if (value == latestResources) {
            out.number(latestNumber + 1L);
            return;
        }
        Integer known = resources.get(value);
        if (known == null) {
            if (resources.size() == RESOURCES_MAX) {
                forgetResources();
            }
            known = resources.size();
            resources.put(value, known);
            out.number(0);
            out.number(value.amounts().size());
            for (Map.Entry<String, Amount> entry : value.amounts().entrySet()) {
                out.text(entry.getKey());
                out.number(entry.getValue().value());
            }
        } else {
            out.number(known + 1L);
        }
        latestResources = value;
        latestNumber = known;
    }

    /** A kind of tasks. */
    void kind(TaskKind kind) {
        Integer known = sameKinds.get(kind);
        if (known == null) {
            known = equal(kind);
        }
        if (known != null) {
            out.number(known + 1L);
            return;
        }
        out.number(0);
        TaskCodec.writeKind(this, kind);
        int number = kinds++;
        sameKinds.put(kind, number);
        if (hasOneOrder(kind)) {
            if (equalKinds.size() == EQUAL_KINDS_MAX) {
                equalKinds.clear();
            }
            equalKinds.put(kind, number);
        }
    }

    private @Nullable Integer equal(TaskKind kind) {
        Integer number = hasOneOrder(kind) ? equalKinds.get(kind) : null;
        if (number != null) {
            sameKinds.put(kind, number); // it stays so when the equal ones are forgotten
        }
        return number;
    }

    /** Whether those that are equal to it name what they wait for in the same order, which people are shown. */
    private static boolean hasOneOrder(TaskKind kind) {
        return kind.after().size() < 2;
    }
}
