package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The mean durations of earlier runs for each {@link Key}, computed exactly from the sum and the number of runs.
 *
 * <p>The number of keys is bounded; the least recently used key is evicted. A key is used when a run is counted, and
 * when tasks without an expected duration are added.
 */
public final class DurationHistory {

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final int keysMax;
    private final Map<Key, Runs> runs = new HashMap<>();

    /** The sentinel of the ring of all runs in the order of use: between the most and the least recently used ones. */
    private final Runs ends = new Runs(new Key(null, ""));

    DurationHistory(int keysMax) {
        this.keysMax = keysMax;
    }

    /**
     * What runs have in common whose durations are averaged.
     *
     * @param application the name of the application; null if the task has its own {@code durationkey}
     * @param task that key, otherwise the name of the task's specification
     */
    public record Key(@Nullable String application, String task) {

        /** Returns the key of these tasks of this application. */
        public static Key of(ApplicationSpec application, TaskSpec task) {
            return task.durationKey() == null
                    ? new Key(application.name(), task.name())
                    : new Key(null, task.durationKey());
        }
    }

    /** The runs of one key, linked in the order of use. The sum of durations does not exceed 2^63 seconds. */
    static final class Runs {
        private final Key key;
        private Runs before = this;
        private Runs after = this;
        private long seconds;
        private int nanos;
        private long count;
        private @Nullable Duration mean;

        private Runs(Key key) {
            this.key = key;
        }

        /** Returns whether it was evicted. */
        boolean isForgotten() {
            return after == this;
        }

        private void moveBefore(Runs other) {
            leave();
            before = other.before;
            after = other;
            before.after = this;
            after.before = this;
        }

        private void leave() {
            before.after = after;
            after.before = before;
            before = this;
            after = this;
        }

        private void add(Duration duration) {
            seconds += duration.getSeconds();
            nanos += duration.getNano();
            if (nanos >= NANOS_PER_SECOND) {
                nanos -= NANOS_PER_SECOND;
                seconds++;
            }
            if (seconds < 0 || seconds == Long.MAX_VALUE) {
                seconds = Long.MAX_VALUE;
                nanos = 0;
            }
            count++;
            mean = null;
        }

        /** Returns the mean. Cached between two runs, because a million pending tasks may share it. */
        private Duration mean() {
            Duration known = mean;
            if (known == null) {
                known = Duration.ofSeconds(seconds, nanos).dividedBy(count);
                mean = known;
            }
            return known;
        }
    }

    /** Returns the mean duration of the runs with this key, rounded down to nanoseconds; zero if there were none. */
    public Duration mean(Key key) {
        Runs known = runs.get(key);
        return known == null ? Duration.ZERO : known.mean();
    }

    /** Returns the number of runs with this key. */
    public long count(Key key) {
        Runs known = runs.get(key);
        return known == null ? 0 : known.count;
    }

    /** Returns the number of keys. */
    public int size() {
        return runs.size();
    }

    /** Passes all keys and their means to the consumer, the least recently used key first. */
    public void forEach(BiConsumer<Key, Duration> consumer) {
        for (Runs known = ends.after; known != ends; known = known.after) {
            consumer.accept(known.key, known.mean());
        }
    }

    /** Returns the same as {@link #mean} and marks the key as used. */
    Duration use(Key key) {
        Runs known = runs.get(key);
        if (known == null) {
            return Duration.ZERO;
        }
        known.moveBefore(ends);
        return known.mean();
    }

    void writeTo(PartitionCheckpointWriter out) {
        out.sink().number(runs.size());
        for (Runs known = ends.after; known != ends; known = known.after) {
            out.optionalText(known.key.application());
            out.sink().text(known.key.task());
            out.sink().duration(Duration.ofSeconds(known.seconds, known.nanos));
            out.sink().number(known.count);
        }
    }

    void readFrom(PartitionCheckpointReader in) {
        for (int left = in.count(); left > 0; left--) {
            Runs known = runs(new Key(in.optionalText(), in.source().text()));
            Duration sum = in.source().duration();
            known.seconds = sum.getSeconds();
            known.nanos = sum.getNano();
            known.count = in.source().number();
            if (sum.isNegative() || known.count < 1) {
                throw PartitionCheckpointReader.corrupt(
                        "invalid total duration " + sum + " of " + known.count + " runs");
            }
        }
    }

    /** Returns the runs of this key; creates them if there were none. */
    Runs runs(Key key) {
        Runs known = runs.get(key);
        if (known == null) {
            if (runs.size() >= keysMax) {
                Runs longestUnused = ends.after;
                longestUnused.leave();
                runs.remove(longestUnused.key);
            }
            known = new Runs(key);
            runs.put(key, known);
            known.moveBefore(ends);
        }
        return known;
    }

    /** Counts a run with this duration, which must not be negative. */
    void add(Runs known, Duration duration) {
        known.add(duration);
        known.moveBefore(ends);
    }
}
