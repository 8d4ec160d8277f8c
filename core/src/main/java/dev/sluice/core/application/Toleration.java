package dev.sluice.core.application;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which taints a task tolerates.
 *
 * @param key the key of the taints; null for any
 * @param operator how the value is compared
 * @param value the value of the taints, for the operator {@code Equal}; otherwise empty
 * @param effect the effect of the taints; null for any
 * @param limit how long a task stays on a node that gets such a taint; null for ever. A limited toleration lets no task
 *     start on a node with such a taint.
 */
public record Toleration(
        @Nullable String key,
        Operator operator,
        String value,
        @Nullable TaintEffect effect,
        @Nullable Duration limit) {

    /** How the value of a taint is compared. */
    public enum Operator {
        /** The value is the same. */
        EQUAL("Equal"),
        /** Any value. */
        EXISTS("Exists");

        private final String wireName;

        Operator(String wireName) {
            this.wireName = wireName;
        }

        /** The name in files and in the API, which is Kubernetes'. */
        public String wireName() {
            return wireName;
        }
    }

    /** A limit below 0 is 0; throws {@link IllegalArgumentException} if the parts do not suit each other. */
    public Toleration {
        String problem = problem(key, operator, value, effect, limit);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        limit = limit != null && limit.isNegative() ? Duration.ZERO : limit;
    }

    /** Returns what is wrong with these parts, or null. */
    public static @Nullable String problem(
            @Nullable String key,
            Operator operator,
            String value,
            @Nullable TaintEffect effect,
            @Nullable Duration limit) {
        if ((key == null || key.isEmpty()) && (key != null || operator != Operator.EXISTS)) {
            return "a toleration without a key needs the operator Exists";
        }
        if (operator == Operator.EXISTS && !value.isEmpty()) {
            return "a toleration with the operator Exists has no value";
        }
        return limit != null && effect != TaintEffect.NO_EXECUTE
                ? "tolerationSeconds needs the effect NoExecute"
                : null;
    }

    /** Returns whether it tolerates this taint, for a while or for ever. */
    public boolean tolerates(Taint taint) {
        return (effect == null || effect == taint.effect())
                && (key == null || key.equals(taint.key()))
                && (operator == Operator.EXISTS || value.equals(taint.value()));
    }
}
