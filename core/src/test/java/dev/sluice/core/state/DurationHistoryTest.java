package dev.sluice.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.ApplicationSpec;
import dev.sluice.core.application.TaskSpec;
import dev.sluice.core.resource.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The storage of recorded durations, apart from how they are recorded. */
class DurationHistoryTest {

    private static final DurationHistory.Key A = new DurationHistory.Key("app", "a");
    private static final DurationHistory.Key B = new DurationHistory.Key("app", "b");
    private static final DurationHistory.Key C = new DurationHistory.Key("app", "c");

    @Test
    void mean_ofSeveralRuns_isExact() {
        DurationHistory durations = new DurationHistory(10);
        add(durations, A, Duration.ofNanos(1));
        add(durations, A, Duration.ofNanos(2));
        add(durations, A, Duration.ofSeconds(3));

        assertThat(durations.mean(A)).isEqualTo(Duration.ofSeconds(1, 1));
        assertThat(durations.count(A)).isEqualTo(3);
        assertThat(durations.mean(B)).isEqualTo(Duration.ZERO);
    }

    @Test
    void mean_ofVeryLongRuns_doesNotOverflow() {
        DurationHistory durations = new DurationHistory(10);
        for (int i = 0; i < 3; i++) {
            add(durations, A, Duration.ofDays(365L * 1000));
        }
        assertThat(durations.mean(A)).isEqualTo(Duration.ofDays(365L * 1000));

        add(durations, B, Duration.ofSeconds(Long.MAX_VALUE));
        add(durations, B, Duration.ofSeconds(Long.MAX_VALUE, 5));
        assertThat(durations.mean(B))
                .isEqualTo(Duration.ofSeconds(Long.MAX_VALUE).dividedBy(2));
    }

    @Test
    void key_beyondMaximum_evictsLeastRecentlyUsed() {
        DurationHistory durations = new DurationHistory(2);
        add(durations, A, Duration.ofSeconds(1));
        add(durations, B, Duration.ofSeconds(2));
        assertThat(durations.use(A)).isEqualTo(Duration.ofSeconds(1));
        durations.mean(B);

        add(durations, C, Duration.ofSeconds(3));

        List<DurationHistory.Key> keys = new ArrayList<>();
        durations.forEach((key, mean) -> keys.add(key));
        assertThat(keys).containsExactly(A, C);
    }

    @Test
    void knownKey_whenFull_evictsNothing() {
        DurationHistory durations = new DurationHistory(2);
        add(durations, A, Duration.ofSeconds(1));
        add(durations, B, Duration.ofSeconds(2));

        add(durations, A, Duration.ofSeconds(3));

        assertThat(durations.size()).isEqualTo(2);
        assertThat(durations.mean(A)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void unknownKey_queried_isNotAdded() {
        DurationHistory durations = new DurationHistory(2);

        assertThat(durations.use(A)).isEqualTo(Duration.ZERO);

        assertThat(durations.size()).isZero();
    }

    @Test
    void keys_ofDifferentOrigin_differ() {
        TaskSpec t = TaskSpec.single("t", Resources.NONE);
        ApplicationSpec app = ApplicationSpec.open("app", null);

        assertThat(DurationHistory.Key.of(app, t))
                .isEqualTo(DurationHistory.Key.of(
                        ApplicationSpec.open("other", null).withName("app"), t))
                .isNotEqualTo(DurationHistory.Key.of(app.withName("a"), TaskSpec.single("ppt", Resources.NONE)))
                .isNotEqualTo(DurationHistory.Key.of(app, t.withDurationKey("t")))
                .isNotEqualTo(DurationHistory.Key.of(app, t.withDurationKey("app")));
        assertThat(DurationHistory.Key.of(app, t.withDurationKey("key")))
                .isEqualTo(DurationHistory.Key.of(ApplicationSpec.open("other", null), t.withDurationKey("key")));
    }

    @Test
    void runs_ofEvictedKey_areForgotten() {
        DurationHistory durations = new DurationHistory(1);
        DurationHistory.Runs former = durations.runs(A);
        durations.add(former, Duration.ofSeconds(1));
        assertThat(former.isForgotten()).isFalse();

        add(durations, B, Duration.ofSeconds(2));

        assertThat(former.isForgotten()).isTrue();
        assertThat(durations.runs(A)).isNotSameAs(former);
    }

    private static void add(DurationHistory durations, DurationHistory.Key key, Duration duration) {
        durations.add(durations.runs(key), duration);
    }
}
