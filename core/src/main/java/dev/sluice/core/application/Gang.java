package dev.sluice.core.application;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of an application that start together or not at all.
 *
 * @param tasks the minimum number of members of each group of tasks, by its name
 * @param style what happens if the gang has not started when the timeout has passed
 * @param timeout how long its tasks may be pending before that
 * @param onLoss what happens when fewer members run than the minimum
 * @param topology the topology domain that contains all members, or null
 */
public record Gang(
        SortedMap<String, Integer> tasks,
        Style style,
        Duration timeout,
        OnLoss onLoss,
        @Nullable Topology topology) {

    /** The default timeout. */
    public static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(15);

    /** The maximum number of members. */
    public static final int MEMBERS_MAX = 10_000;

    /** What happens to a gang that has not started in time. */
    public enum Style {
        /** Its tasks are scheduled singly. */
        SOFT("soft"),
        /** Its application fails. */
        HARD("hard");

        private final String wireName;

        Style(String wireName) {
            this.wireName = wireName;
        }

        /** The name in files and in the API. */
        public String wireName() {
            return wireName;
        }
    }

    /** What happens when a member ends and runs again, so that fewer run than the minimum. */
    public enum OnLoss {
        /** The member runs again by itself. */
        CONTINUE("continue"),
        /** All members stop, and the gang starts again as a whole. */
        RESTART("restart");

        private final String wireName;

        OnLoss(String wireName) {
            this.wireName = wireName;
        }

        /** The name in files and in the API. */
        public String wireName() {
            return wireName;
        }
    }

    /**
     * The topology domain of a gang.
     *
     * @param key the node label whose values name the widest domains that may hold the gang
     * @param require whether the gang starts only in such a domain; otherwise it is preferred
     */
    public record Topology(String key, boolean require) {

        /** Throws {@link IllegalArgumentException} if the key is empty. */
        public Topology {
            if (key.isEmpty()) {
                throw new IllegalArgumentException("topology key must not be empty");
            }
        }
    }

    /** Copies the map; throws {@link IllegalArgumentException} if there are no members or too many, or no timeout. */
    public Gang {
        tasks = Collections.unmodifiableSortedMap(new TreeMap<>(tasks));
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("a gang must name tasks");
        }
        long members = 0;
        for (Map.Entry<String, Integer> minimum : tasks.entrySet()) {
            if (minimum.getValue() < 1) {
                throw new IllegalArgumentException(
                        "the minimum of " + minimum.getKey() + " in a gang must be greater than 0");
            }
            members += minimum.getValue();
        }
        if (members > MEMBERS_MAX) {
            throw new IllegalArgumentException("a gang must have at most " + MEMBERS_MAX + " members");
        }
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("the timeout of a gang must be greater than 0");
        }
    }

    /** Creates a soft gang with the default timeout, whose lost members run again by themselves. */
    public static Gang of(Map<String, Integer> tasks) {
        return new Gang(new TreeMap<>(tasks), Style.SOFT, TIMEOUT_DEFAULT, OnLoss.CONTINUE, null);
    }

    public Gang withStyle(Style newStyle) {
        return new Gang(tasks, newStyle, timeout, onLoss, topology);
    }

    public Gang withTimeout(Duration newTimeout) {
        return new Gang(tasks, style, newTimeout, onLoss, topology);
    }

    public Gang withOnLoss(OnLoss newOnLoss) {
        return new Gang(tasks, style, timeout, newOnLoss, topology);
    }

    public Gang withTopology(@Nullable Topology newTopology) {
        return new Gang(tasks, style, timeout, onLoss, newTopology);
    }
}
