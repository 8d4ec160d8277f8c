package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How long tasks took that ran before: the mean for each {@link Key}, exact, from the sum and the number of the runs.
 *
 * <p>Keys are bounded; the one goes whose last use is longest ago. A use is a run that is counted, or tasks that are added and ask.
 */
public final class DurationHistory {

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final int keysMax;
    private final Map<Key, Runs> runs = new HashMap<>();

    /** Stands in the ring of all runs between those that were used last and those whose last use is longest ago. */
    private final Runs ends = new Runs(new Key(null, ""));

    DurationHistory(int keysMax) {
        this.keysMax = keysMax;
    }

    /**
     * What runs must share to be taken for alike.
     *
     * @param application the name of the application; null if the task names a key of its own
     * @param task that key, else the name of the task's specification
     */
    public record Key(@Nullable String application, String task) {

        /** The key of these tasks of this application. */
        public static Key of(ApplicationSpec application, TaskSpec task) {
            return task.durationKey() == null
                    ? new Key(application.name(), task.name())
                    : new Key(null, task.durationKey());
        }
    }

    /** The runs of one key, between those whose last use was just before and just after. A sum of 2^63 seconds is not exceeded. */
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

        /** Whether others have taken their place. */
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

        /** The mean, one object for all who ask between two runs: those may be a million tasks that wait. */
        private Duration mean() {
            Duration known = mean;
            if (known == null) {
                known = Duration.ofSeconds(seconds, nanos).dividedBy(count);
                mean = known;
            }
            return known;
        }
    }

    /** The mean duration of the runs with this key, rounded down to nanoseconds; zero if there were none. */
    public Duration mean(Key key) {
        Runs known = runs.get(key);
        return known == null ? Duration.ZERO : known.mean();
    }

    /** How many runs with this key are counted. */
    public long count(Key key) {
        Runs known = runs.get(key);
        return known == null ? 0 : known.count;
    }

    /** How many keys are known. */
    public int size() {
        return runs.size();
    }

    /** Tells of all keys and their means, the one first whose last use is longest ago. */
    public void forEach(BiConsumer<Key, Duration> consumer) {
        for (Runs known = ends.after; known != ends; known = known.after) {
            consumer.accept(known.key, known.mean());
        }
    }

    /** The mean as {@link #mean} tells it, which is a use of the key. */
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
                throw PartitionCheckpointReader.corrupt(known.count + " runs took " + sum);
            }
        }
    }

    /** Where runs with this key are counted, the first of which is counted next if there were none. */
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

    /** Counts a run that took so long, which is never negative. */
    void add(Runs known, Duration duration) {
        known.add(duration);
        known.moveBefore(ends);
    }
}
