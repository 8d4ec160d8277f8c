package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.application.Constraints;
import dev.sluice.core.configuration.PartitionConfiguration;
import dev.sluice.core.resource.Resources;
import dev.sluice.core.testing.CheckedScheduler;
import dev.sluice.core.testing.ClusterUnderTest;
import org.junit.jupiter.api.Test;

/** The minimum demand pending in a queue, during churn. */
class PendingClassesTest {

    private static final TaskCounters COUNTERS = new TaskCounters(new ClusterUnderTest(new CheckedScheduler())
            .configure(PartitionConfiguration.simplest())
            .partition());
    private static final EquivalenceClass WIDE = equivalenceClass(0, 1, 8, 1);
    private static final EquivalenceClass TALL = equivalenceClass(0, 1, 2, 6);
    private static final EquivalenceClass URGENT = equivalenceClass(5, 1, 9, 9);

    private final PendingClasses equivalenceClasses = new PendingClasses();

    private static EquivalenceClass equivalenceClass(int priority, long... demand) {
        EquivalenceClass.Key key =
                new EquivalenceClass.Key(Resources.of("vcore", demand[1]), priority, Constraints.NONE, null, null);
        return new EquivalenceClass(
                key, demand, 0, true, new NodeRanks(Constraints.NONE), false, new TaskRules(key, COUNTERS));
    }

    @Test
    void allExceed_sameResource_isTrue() {
        equivalenceClasses.add(WIDE);
        equivalenceClasses.add(TALL);

        assertThat(equivalenceClasses.allExceed(new long[] {1, 1, 9})).isTrue();
        assertThat(equivalenceClasses.allExceed(new long[] {0, 9, 9})).isTrue();
    }

    @Test
    void allExceed_differentResources_isUnknown() {
        equivalenceClasses.add(WIDE);
        equivalenceClasses.add(TALL);

        assertThat(equivalenceClasses.allExceed(new long[] {1, 4, 4})).isFalse();
    }

    @Test
    void allExceed_withoutLimitOrClasses_isFalse() {
        assertThat(equivalenceClasses.allExceed(new long[] {0, 0, 0})).isFalse();
        equivalenceClasses.add(WIDE);
        assertThat(equivalenceClasses.allExceed(new long[] {})).isFalse();
    }

    @Test
    void pendingClass_usedTwice_countsUntilSecondRemoval() {
        equivalenceClasses.add(TALL);
        equivalenceClasses.add(TALL);
        equivalenceClasses.add(WIDE);

        equivalenceClasses.remove(TALL);
        assertThat(equivalenceClasses.allExceed(new long[] {1, 4, 9})).isFalse();
        equivalenceClasses.remove(TALL);
        assertThat(equivalenceClasses.allExceed(new long[] {1, 4, 9})).isTrue();
    }

    @Test
    void unprioritised_withPrioritizedTask_isFalse() {
        equivalenceClasses.add(WIDE);
        assertThat(equivalenceClasses.areUnprioritised()).isTrue();

        PendingClasses above = new PendingClasses();
        equivalenceClasses.add(URGENT);
        equivalenceClasses.add(URGENT);
        above.addAll(equivalenceClasses);
        assertThat(equivalenceClasses.areUnprioritised()).isFalse();
        assertThat(above.areUnprioritised()).isFalse();

        equivalenceClasses.remove(URGENT);
        equivalenceClasses.remove(URGENT);
        assertThat(equivalenceClasses.areUnprioritised()).isTrue();
    }
}
