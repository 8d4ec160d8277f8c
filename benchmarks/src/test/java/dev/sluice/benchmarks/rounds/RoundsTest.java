package dev.sluice.benchmarks.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundsTest {

    private final List<String> done = new ArrayList<>();
    private long clock;

    /** Returns a variant with this number of operations that takes the given nanoseconds, one after the other. */
    private Variant variant(String name, long operations, long... nanos) {
        return new Variant(name, () -> {
            done.add("prepare " + name);
            clock += 1_000_000; // must not be measured
            return () -> {
                done.add("run " + name);
                clock += nanos[
                        (int) (done.stream().filter(("run " + name)::equals).count() - 1) % nanos.length];
                return operations;
            };
        });
    }

    private Rounds measure(int warmup, int rounds, Variant... variants) {
        return Rounds.measure(List.of(variants), warmup, rounds, () -> clock);
    }

    @Test
    void rounds_ofTwoVariants_alternate() {
        measure(1, 1, variant("a", 1, 1), variant("b", 1, 1));

        assertThat(done)
                .containsExactly(
                        "prepare a", "run a", "prepare b", "run b", "prepare a", "run a", "prepare b", "run b");
    }

    @Test
    void nanos_perOperation_excludePreparationAndWarmup() {
        Rounds measured = measure(1, 3, variant("a", 10, 9999, 100, 300, 200));

        assertThat(measured.nanos(0).median()).isEqualTo(20);
        assertThat(measured.perSecond(0).median()).isEqualTo(50_000_000);
        assertThat(measured.nanosMax(0)).isEqualTo(30);
    }

    @Test
    void ratio_ofTwoVariants_comparesPerRound() {
        // the medians are 20 and 30, but no round has this ratio
        Rounds measured = measure(0, 3, variant("a", 1, 10, 20, 30), variant("b", 1, 30, 20, 60));

        assertThat(measured.ratio(0, 1).median()).isEqualTo(2);
        assertThat(measured.ratio(1, 0).median()).isEqualTo(0.5);
    }

    @Test
    void fastest_ofSeveral_hasSmallestMedian() {
        Rounds measured = measure(0, 3, variant("a", 1, 30), variant("b", 1, 90, 20, 20), variant("c", 1, 1, 40, 40));

        assertThat(measured.fastest()).isEqualTo(1);
    }

    @Test
    void variant_withoutOperations_isAnError() {
        assertThatThrownBy(() -> measure(0, 1, variant("lazy", 0, 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lazy");
    }
}
