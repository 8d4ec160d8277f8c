package dev.sluice.core.state;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How long tasks took that ran before: the mean for each {@link Key}, exact, from the sum and the number of the runs.
 *
 * <p>Keys are bounded; the one goes whose last use is longest ago. A use is a run that is counted, or tasks that are added and ask.
 */
public final class Durations {

    private final int keysMax;
    private final Map<Key, Runs> runs = new LinkedHashMap<>();

    Durations(int keysMax) {
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

    /** The runs of one key. A sum of 2^63 seconds is not exceeded. */
    private static final class Runs {
        private long seconds;
        private int nanos;
        private long count;
        private @Nullable Duration mean;

        void add(Duration duration) {
            Duration sum = Duration.ofSeconds(seconds, nanos);
            Duration room = Duration.ofSeconds(Long.MAX_VALUE).minus(sum);
            sum = duration.compareTo(room) > 0 ? Duration.ofSeconds(Long.MAX_VALUE) : sum.plus(duration);
            seconds = sum.getSeconds();
            nanos = sum.getNano();
            count++;
            mean = null;
        }

        /** The mean, one object for all who ask between two runs: those may be a million tasks that wait. */
        Duration mean() {
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
        runs.forEach((key, known) -> consumer.accept(key, known.mean()));
    }

    /** The mean as {@link #mean} tells it, which is a use of the key. */
    Duration use(Key key) {
        Runs known = runs.remove(key);
        if (known == null) {
            return Duration.ZERO;
        }
        runs.put(key, known);
        return known.mean();
    }

    void writeTo(ImageWriter out) {
        out.sink().number(runs.size());
        runs.forEach((key, known) -> {
            out.optionalText(key.application());
            out.sink().text(key.task());
            out.sink().duration(Duration.ofSeconds(known.seconds, known.nanos));
            out.sink().number(known.count);
        });
    }

    void readFrom(ImageReader in) {
        for (int left = in.count(); left > 0; left--) {
            Key key = new Key(in.optionalText(), in.source().text());
            Runs known = new Runs();
            Duration sum = in.source().duration();
            known.seconds = sum.getSeconds();
            known.nanos = sum.getNano();
            known.count = in.source().number();
            if (sum.isNegative() || known.count < 1) {
                throw ImageReader.damaged(known.count + " runs took " + sum);
            }
            runs.put(key, known);
        }
    }

    /** Counts a run that took so long, which is never negative. */
    void add(Key key, Duration duration) {
        Runs known = runs.remove(key);
        if (known == null) {
            known = new Runs();
            if (runs.size() >= keysMax) {
                runs.remove(runs.keySet().iterator().next());
            }
        }
        known.add(duration);
        runs.put(key, known);
    }
}
