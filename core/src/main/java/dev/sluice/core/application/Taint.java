package dev.sluice.core.application;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A property of a node that keeps away tasks that do not tolerate it.
 *
 * @param key what it is about
 * @param value more about it; may be empty
 * @param effect what it does
 * @param timeAdded when the node got it; null unless its effect is {@code NoExecute} and it is part of the state
 */
public record Taint(
        String key,
        String value,
        TaintEffect effect,
        @Nullable Instant timeAdded) {

    /** Throws {@link IllegalArgumentException} if the key is empty, or if it has a time without need. */
    public Taint {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("a taint needs a key");
        }
        if (timeAdded != null && effect != TaintEffect.NO_EXECUTE) {
            throw new IllegalArgumentException("only a taint NoExecute has a time: " + key);
        }
    }

    public Taint(String key, String value, TaintEffect effect) {
        this(key, value, effect, null);
    }

    /** Returns whether it is the same taint, whenever a node got it. */
    public boolean isSameAs(Taint other) {
        return isAbout(other) && value.equals(other.value);
    }

    /** Returns whether it has the key and effect of the other one: a node has at most one of those. */
    public boolean isAbout(Taint other) {
        return key.equals(other.key) && effect == other.effect;
    }

    /** Returns it with the time at which its node got it. */
    public Taint addedAt(Instant at) {
        return effect == TaintEffect.NO_EXECUTE ? new Taint(key, value, effect, at) : this;
    }

    /** Returns key and value. */
    public String label() {
        return value.isEmpty() ? key : key + "=" + value;
    }

    @Override
    public String toString() {
        return label() + ":" + effect.wireName();
    }
}
