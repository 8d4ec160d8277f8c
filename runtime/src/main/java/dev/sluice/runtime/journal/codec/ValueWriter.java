package dev.sluice.runtime.journal.codec;

import dev.sluice.core.application.TaskKind;
import dev.sluice.core.resource.Amount;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.state.ApplicationOrigin;
import java.time.Instant;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Writes composite values; replaces resources, origins and task kinds already written by references. */
final class ValueWriter {

    /** The maximum number of resources that can be referenced; when it is reached all are cleared. */
    static final int RESOURCES_MAX = 1 << 16;

    /** The maximum number of origins that can be referenced; when it is reached all are cleared. */
    static final int ORIGINS_MAX = 1 << 16;

    private static final int EQUAL_KINDS_MAX = 1 << 16;

    final BinaryWriter out;

    private Map<Resources, Integer> resources = new HashMap<>();
    private @Nullable Resources latestResources;
    private int latestNumber;
    private Map<ApplicationOrigin, Integer> origins = new HashMap<>();
    private @Nullable ApplicationOrigin latestOrigin;
    private int latestOriginNumber;
    private IdentityHashMap<TaskKind, Integer> sameKinds = new IdentityHashMap<>();
    private Map<TaskKind, Integer> equalKinds = new HashMap<>();
    private int kinds;

    ValueWriter(BinaryWriter out) {
        this.out = out;
    }

    /** Discards the bytes in memory and clears all references. */
    void clear() {
        out.clear();
        forgetResources();
        forgetOrigins();
        if (kinds > 0) {
            sameKinds = new IdentityHashMap<>();
            equalKinds = new HashMap<>();
            kinds = 0;
        }
    }

    private void forgetOrigins() {
        if (!origins.isEmpty()) {
            origins = new HashMap<>();
        }
        latestOrigin = null;
    }

    private void forgetResources() {
        if (!resources.isEmpty()) {
            resources = new HashMap<>();
        }
        latestResources = null;
    }

    void texts(List<String> texts) {
        out.number(texts.size());
        texts.forEach(out::text);
    }

    void texts(SortedMap<String, String> texts) {
        out.number(texts.size());
        texts.forEach((name, text) -> {
            out.text(name);
            out.text(text);
        });
    }

    @SuppressWarnings("ReferenceEquality") // identity is a fast path; equal objects are looked up
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

    /**
     * Writes an origin.
     *
     * @param at the instant of the event, from which the submission is counted back
     */
    @SuppressWarnings("ReferenceEquality") // identity is a fast path; equal objects are looked up
    void origin(ApplicationOrigin origin, Instant at) {
        if (origin == latestOrigin) {
            out.number(latestOriginNumber + 1L);
            return;
        }
        Integer known = origins.get(origin);
        if (known == null) {
            if (origins.size() == ORIGINS_MAX) {
                forgetOrigins();
            }
            known = origins.size();
            origins.put(origin, known);
            out.number(0);
            out.text(origin.queue());
            out.text(origin.user());
            out.instantBefore(at, origin.submitted());
        } else {
            out.number(known + 1L);
        }
        latestOrigin = origin;
        latestOriginNumber = known;
    }

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
            sameKinds.put(kind, number); // the identity mapping remains valid after the mapping by equality is cleared
        }
        return number;
    }

    /** Returns whether all equal kinds list their dependencies in the same order, which is user-visible. */
    private static boolean hasOneOrder(TaskKind kind) {
        return kind.after().size() < 2;
    }
}
