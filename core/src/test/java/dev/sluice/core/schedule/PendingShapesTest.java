package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.resource.Resources;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** The least that is pending in a queue takes, whatever comes and goes. */
class PendingShapesTest {

    private static final Shape WIDE = shape(0, 1, 8, 1);
    private static final Shape TALL = shape(0, 1, 2, 6);
    private static final Shape URGENT = shape(5, 1, 9, 9);

    private final PendingShapes shapes = new PendingShapes();

    private static Shape shape(int priority, long... demand) {
        return new Shape(
                new Shape.Key(Resources.of("vcore", demand[1]), priority, Collections.emptySortedMap(), null),
                demand,
                0);
    }

    @Test
    void allExceed_whenEachTakesMoreOfOneSameResource_isTrue() {
        shapes.add(WIDE);
        shapes.add(TALL);

        assertThat(shapes.allExceed(new long[] {1, 1, 9})).isTrue();
        assertThat(shapes.allExceed(new long[] {0, 9, 9})).isTrue();
    }

    @Test
    void allExceed_whenEachTakesMoreOfAnother_isNotKnown() {
        shapes.add(WIDE);
        shapes.add(TALL);

        assertThat(shapes.allExceed(new long[] {1, 4, 4})).isFalse();
    }

    @Test
    void allExceed_withoutLimitOrWithoutShapes_isFalse() {
        assertThat(shapes.allExceed(new long[] {0, 0, 0})).isFalse();
        shapes.add(WIDE);
        assertThat(shapes.allExceed(new long[] {})).isFalse();
    }

    @Test
    void removed_usedTwice_countsUntilTheSecondHasGone() {
        shapes.add(TALL);
        shapes.add(TALL);
        shapes.add(WIDE);

        shapes.remove(TALL);
        assertThat(shapes.allExceed(new long[] {1, 4, 9})).isFalse();
        shapes.remove(TALL);
        assertThat(shapes.allExceed(new long[] {1, 4, 9})).isTrue();
    }

    @Test
    void unprioritised_untilOneWithAPriorityComes_andAgainWhenItHasGone() {
        shapes.add(WIDE);
        assertThat(shapes.areUnprioritised()).isTrue();

        PendingShapes above = new PendingShapes();
        shapes.add(URGENT);
        shapes.add(URGENT);
        above.addAll(shapes);
        assertThat(shapes.areUnprioritised()).isFalse();
        assertThat(above.areUnprioritised()).isFalse();

        shapes.remove(URGENT);
        shapes.remove(URGENT);
        assertThat(shapes.areUnprioritised()).isTrue();
    }
}
